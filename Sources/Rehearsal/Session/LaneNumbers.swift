/// By which numbers lanes are known while a session goes on: those that are left out of its recording leave
/// the others theirs.
struct LaneNumbers {
  /// The number of each lane that is there; nil while that is its index.
  private var numbers: [Int]?
  private var nextNumber = 0

  /// Takes in the lane that was just added to the recording, and gives it a number.
  mutating func next() -> Int {
    defer { nextNumber += 1 }
    numbers?.append(nextNumber)
    return nextNumber
  }

  /// How many lanes there were so far.
  var count: Int { nextNumber }

  func number(at index: Int) -> Int { numbers?[index] ?? index }

  /// Where the recording has the lane; nil where it was left out.
  func index(of number: Int) -> Int? {
    guard let numbers else { return number }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == number ? low : nil
  }

  /// Only the lanes at these indices, in order, are there any more.
  mutating func keep(_ indices: [Int]) {
    guard indices.count < numbers?.count ?? nextNumber else { return }
    numbers = indices.map(number(at:))
  }
}
