/// A value that changes to say "start again": the restart trigger of whatever runs once per value.
///
///     @TaskIdentifier var reload
///
///     $reload.new()
@propertyWrapper
public struct TaskIdentifier<ID: Equatable> {
  private let cell: Cell

  final class Cell {
    var id: ID

    init(id: ID) {
      self.id = id
    }
  }

  /// Begins with this value.
  public init(wrappedValue: ID) {
    cell = Cell(id: wrappedValue)
  }

  /// Counts from 0.
  public init() where ID == Int {
    self.init(wrappedValue: 0)
  }

  /// The value as it is now: to be compared with an earlier one, or given to SwiftUI's `task(id:)`.
  public var wrappedValue: ID { cell.id }

  /// What `$name` gives: the means to change it. Copies change the same value.
  public var projectedValue: Access { Access(cell: cell) }

  /// Changes a `TaskIdentifier`, from wherever it was passed to.
  public struct Access {
    let cell: Cell

    /// Writes this value. One that is equal to the value before triggers nothing.
    public func new(_ newID: ID) {
      cell.id = newID
    }

    /// The next number.
    public func new() where ID == Int {
      cell.id += 1
    }
  }
}
