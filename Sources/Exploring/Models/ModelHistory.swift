/// Finds out whether some order of overlapping operations explains their results.
///
/// An operation takes effect on the model at one moment between its begin and its end. So an operation that ended before
/// another began comes before it. One that never ends may or may not have taken effect. Operations that do not overlap
/// have only one order. The method is that of Wing and Gong: it keeps all possible models.
package struct ModelHistory<Model: Hashable> {
  /// Performs an operation on a model.
  package typealias Effect = (inout Model) -> ModelResult

  /// A possible model, with the results of the operations that have taken effect and not ended.
  private struct Possibility: Hashable {
    var model: Model
    var results: [Int: ModelResult] = [:]
  }

  private struct Operation {
    let number: Int
    let name: String
    let effect: Effect
  }

  private var possibilities: [Possibility]
  /// The operations that have begun and not ended.
  private var open: [Operation] = []
  /// The operations since one began while no other was open.
  private var overlapping: [String] = []
  private var count = 0
  private var endedCount = 0
  /// Whether too many orders are possible, so that nothing more is compared.
  package private(set) var isUndecided = false
  /// The first disagreement; nothing more is compared after it.
  package private(set) var difference: ModelDifference?

  package init(_ model: Model) { possibilities = [Possibility(model: model)] }

  private var isOver: Bool { isUndecided || difference != nil }

  /// Begins an operation.
  ///
  /// - Returns: its number.
  package mutating func begin(_ name: String, _ effect: @escaping Effect) -> Int {
    count += 1
    guard !isOver else { return count }
    if open.isEmpty { overlapping = [] }
    open.append(Operation(number: count, name: name, effect: effect))
    overlapping.append(name)
    return count
  }

  /// Ends an operation with the result of the code.
  package mutating func end(_ number: Int, _ result: ModelResult) {
    guard !isOver, let place = open.firstIndex(where: { $0.number == number }),
      let reached = reached(until: number)
    else { return }
    let operation = open[place]
    let explained = reached.filter { $0.results[number] == result }
    guard !explained.isEmpty else {
      difference = ModelDifference(
        operation: operation.name,
        members: nil,
        actual: result.text,
        expected: Self.distinct(reached.compactMap { $0.results[number]?.text }),
        overlapping: overlappingIfSeveral,
        isFirst: endedCount == 0
      )
      return
    }
    close(place, with: explained)
  }

  /// Ends an operation that was cancelled: it has taken effect, or it will not.
  package mutating func cancel(_ number: Int) {
    guard !isOver, let place = open.firstIndex(where: { $0.number == number }),
      let reached = reached(until: nil)
    else { return }
    close(place, with: reached)
  }

  /// Removes an open operation, and its results from the models that are still possible.
  private mutating func close(_ place: Int, with explained: [Possibility]) {
    let number = open.remove(at: place).number
    endedCount += 1
    possibilities = Self.distinct(
      explained.map { possibility in
        var possibility = possibility
        possibility.results[number] = nil
        return possibility
      }
    )
  }

  /// Compares states of the code with the model at this moment.
  ///
  /// - Parameters:
  ///   - members: the names of the states.
  ///   - actual: the states of the code, as text.
  ///   - command: the last command before this moment.
  ///   - states: returns the states of a model.
  package mutating func observe(
    _ members: [String],
    _ actual: [String],
    after command: String,
    _ states: (Model) -> [String]
  ) {
    guard !isOver, let reached = reached(until: nil) else { return }
    let expected = reached.map { states($0.model) }
    let explained = zip(reached, expected).filter { $0.1 == actual }.map(\.0)
    guard explained.isEmpty else {
      possibilities = explained
      return
    }
    // A single member whose value no possible model has says more than all of them.
    let wrong = members.indices.first { place in !expected.contains { $0[place] == actual[place] } }
    let places = wrong.map { [$0] } ?? Array(members.indices)
    func text(_ values: [String]) -> String { places.map { values[$0] }.joined(separator: ", ") }
    difference = ModelDifference(
      operation: command,
      members: places.map { members[$0] },
      actual: text(actual),
      expected: Self.distinct(expected.map(text)),
      overlapping: overlappingIfSeveral,
      isFirst: endedCount <= 1
    )
  }

  private var overlappingIfSeveral: [String] { overlapping.count > 1 ? overlapping : [] }

  /// Returns the models that open operations can reach, each as soon as the operation with this number has taken effect;
  /// without a number, all of them. Nil if there are too many.
  private mutating func reached(until number: Int?) -> [Possibility]? {
    if open.isEmpty { return possibilities }
    var known = Set(possibilities)
    var left = Array(possibilities.reversed())
    var reached: [Possibility] = []
    while let possibility = left.popLast() {
      if number == nil || number.map({ possibility.results[$0] != nil }) == true {
        reached.append(possibility)
        if number != nil { continue }
      }
      for operation in open where possibility.results[operation.number] == nil {
        var next = possibility
        next.results[operation.number] = operation.effect(&next.model)
        guard known.insert(next).inserted else { continue }
        guard known.count <= ModelUndecided.mostPossibilities else {
          isUndecided = true
          return nil
        }
        left.append(next)
      }
    }
    return reached
  }

  /// The elements without duplicates, in the order of their first occurrence.
  private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var known: Set<Element> = []
    return elements.filter { known.insert($0).inserted }
  }
}

/// The end of a comparison because too many orders are possible.
package enum ModelUndecided {
  /// Maximum number of possible models.
  static let mostPossibilities = 20_000
  /// The reason why the run is inconclusive.
  package static let text =
    "its overlapping operations have too many orders to compare them with the reference model"
}
