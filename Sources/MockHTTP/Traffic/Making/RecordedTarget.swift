import HTTPTypes
import RehearsalBase
import RemoteLoading

/// The target of a recorded request. Secrets become captures of any value.
struct RecordedTarget {
  let path: PathTemplate
  let query: [RequestPattern.Condition]
  let body: RequestPattern.BodyCondition?

  /// The maximum length of a readable condition.
  private static let longestCondition = 2048
  private static let longestConditionText = 200

  init(_ request: RemoteRequest, _ masker: Masker) {
    let target = RequestTarget.parts(of: request.head.path ?? "/")
    let user = RecordedHost(scheme: nil, authority: request.head.authority ?? "").user
    if !user.isEmpty, !masker.isKeeping {
      masker.count(.user)
      masker.learn((user.split(separator: ":").last ?? "").utf8)
    }
    path = Self.path(target.path, masker)
    query = target.query.map { Self.query($0, masker) } ?? []
    body = Self.condition(request, masker)
  }

  // MARK: Path and query

  private static func path(_ text: Substring, _ masker: Masker) -> PathTemplate {
    var segments: [PathTemplate.Segment] = []
    var captures = 0
    for literal in RequestTarget.segments(of: text) {
      if masker.places(in: Array(literal.utf8)).isEmpty {
        segments.append(.literal(literal))
      } else {
        captures += 1
        segments.append(.capture(captures == 1 ? "masked" : "masked\(captures)"))
      }
    }
    return PathTemplate(segments: segments)
  }

  private static func query(
    _ text: Substring,
    _ masker: Masker
  ) -> [RequestPattern.Condition] {
    var known: Set<RequestPattern.Condition> = []
    let all: [RequestPattern.Condition] = text.split(separator: "&").compactMap { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = PercentCoding.decoded(parts[0], plusIsSpace: true)
      guard !name.isEmpty, masker.places(in: Array(name.utf8)).isEmpty else { return nil }
      let value = parts.count < 2 ? nil : parts[1]
      return RequestPattern.Condition(name: name, value: condition(name, value, masker))
    }
    return all.filter { known.insert($0).inserted }
  }

  private static func condition(
    _ name: String,
    _ value: Substring?,
    _ masker: Masker
  ) -> RequestPattern.Condition.Value {
    guard let value else { return .text("") }
    if !value.isEmpty, masker.strength(of: name) != nil {
      masker.count(.query)
      masker.learn(value.utf8)
      return .any
    }
    let text = PercentCoding.decoded(value, plusIsSpace: true)
    return masker.places(in: Array(text.utf8)).isEmpty ? .text(text) : .any
  }

  // MARK: Body

  /// Returns a condition that distinguishes this body from others, nil if that needs a secret.
  private static func condition(
    _ request: RemoteRequest,
    _ masker: Masker
  ) -> RequestPattern.BodyCondition? {
    let type = ContentType(request.head.headerFields[.contentType] ?? "")
    guard !request.body.isEmpty, !type.essence.hasPrefix("multipart/") else { return nil }
    let style = JSONMasking.Style.condition(longestText: longestConditionText)
    if let json = JSONMasking.mask(request.body, style: style, with: masker) {
      guard json.isOrdinary, let text = json.text.flatMap(short), text != "{}" else { return nil }
      return .json(text)
    }
    let places = masker.places(in: request.body, type.isForm ? .form : .plain)
    let piece = longestPiece(of: request.body, between: places)
    return short(piece).map { .contains($0) }
  }

  private static func short(_ text: [UInt8]) -> String? {
    (1...longestCondition).contains(text.count) ? String(validating: text, as: UTF8.self) : nil
  }

  private static func longestPiece(of text: [UInt8], between places: [Range<Int>]) -> [UInt8] {
    let starts = [0] + places.map(\.upperBound)
    let ends = places.map(\.lowerBound) + [text.count]
    let pieces = zip(starts, ends).map { text[$0..<max($0, $1)] }
    return Array(pieces.max { $0.count < $1.count } ?? [])
  }
}
