package struct Book: Codable, Sendable, Equatable {
  package let title: String
  package let author: String
}
