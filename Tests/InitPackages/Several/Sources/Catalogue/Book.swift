// swift-format-ignore-file
public struct Book: Codable, Sendable, Equatable {
  public let title: String

  public init(title: String) { self.title = title }
}
