#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that changes to request a restart, for code that runs once per value.
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

  /// Makes an identifier that begins with this value.
  public init(wrappedValue: ID) {
    cell = Cell(id: wrappedValue)
  }

  /// Makes an identifier that counts from 0.
  public init() where ID == Int {
    self.init(wrappedValue: 0)
  }

  /// Makes an identifier that begins with a random value, as in Processed. Its values differ between executions,
  /// except on a stage, where random numbers come from a seed.
  @_disfavoredOverload
  public init() where ID == UUID {
    self.init(wrappedValue: UUID())
  }

  /// The current value, for comparison with an earlier one, or for SwiftUI's `task(id:)`.
  public var wrappedValue: ID { cell.id }

  /// The value of `$name`, which changes the identifier. Copies change the same value.
  public var projectedValue: Access { Access(cell: cell) }

  /// Changes a `TaskIdentifier` that was passed on.
  public struct Access {
    let cell: Cell

    /// Writes this value. A value equal to the previous one triggers nothing.
    public func new(_ newID: ID) {
      cell.id = newID
    }

    /// Writes another random value.
    public func new() where ID == UUID {
      cell.id = UUID()
    }

    /// Writes the next number.
    public func new() where ID == Int {
      cell.id += 1
    }
  }
}
