/// The permanent numbers of lanes. A lane keeps its number when other lanes are removed from the
/// recording.
struct LaneNumbers {
  /// The numbers of the remaining lanes, in the order of the recording; nil while each number
  /// equals its index.
  private var numbers: [Int]?
  private var nextNumber = 0

  /// Returns a number for the lane that was just added to the recording.
  mutating func next() -> Int {
    defer { nextNumber += 1 }
    numbers?.append(nextNumber)
    return nextNumber
  }

  /// Number of lanes ever added.
  var count: Int { nextNumber }

  func number(at index: Int) -> Int { numbers?[index] ?? index }

  /// Returns the index of a lane in the recording; nil if the lane was removed.
  func index(of number: Int) -> Int? {
    guard let numbers else { return number }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == number ? low : nil
  }

  /// Removes all lanes except those at these indices, which are in ascending order.
  mutating func keep(_ indices: [Int]) {
    guard indices.count < numbers?.count ?? nextNumber else { return }
    numbers = indices.map(number(at:))
  }
}
