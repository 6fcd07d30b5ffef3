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

  public init(wrappedValue: ID) {
    cell = Cell(id: wrappedValue)
  }

  /// Counts from 0.
  public init() where ID == Int {
    self.init(wrappedValue: 0)
  }

  public var wrappedValue: ID { cell.id }

  public var projectedValue: Access { Access(cell: cell) }

  public struct Access {
    let cell: Cell

    public func new(_ newID: ID) {
      cell.id = newID
    }

    /// The next number.
    public func new() where ID == Int {
      cell.id += 1
    }
  }
}
