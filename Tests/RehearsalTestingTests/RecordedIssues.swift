import Synchronization
import Testing

/// A recorded issue.
struct RecordedIssue: Equatable {
  let line: Int?
  let text: String
}

/// Returns the issues that `body` records, without failed expectations.
func recordedIssues(_ body: () async throws -> Void) async throws -> [RecordedIssue] {
  let issues = Mutex<[RecordedIssue]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    guard case .unconditional = issue.kind else { return false }
    let text = "\(issue.comments.first ?? "")"
    issues.withLock { $0.append(RecordedIssue(line: issue.sourceLocation?.line, text: text)) }
    return true
  }
  return issues.withLock(\.self)
}
