/// How a slot behaves where there is a choice: what a load does while another one is in flight,
/// where a cancelled one lands, and what a late answer may do.
public struct LoadingPolicy: Sendable, Hashable {
  /// The name by which the shell and the documentation call it.
  public let name: String

  public init(name: String) {
    self.name = name
  }
}
