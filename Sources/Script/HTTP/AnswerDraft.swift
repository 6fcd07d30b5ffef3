import MockHTTP
import RehearsalBase

/// An answer of a route while it is being read: refuses parts that do not fit, such as a body with status 204.
struct AnswerDraft {
  /// The status; nil for a fault.
  var status: Located<Int>?
  var fault: Fault?
  var response = ScriptedResponse(status: 200)
  /// The delay of this answer, if it has one.
  var delay: Delay?
  var pace: ScriptedAnswer.Pace?
  /// The name of a file with the bytes of the body.
  var file: Located<String>?
  /// The words that were read, by their part of the answer: each part may be given once.
  var parts: [Part: Located<String>] = [:]

  enum Part: CaseIterable {
    case body, compression, type, location, chunks, ending, delay, pace
  }

  /// Returns the answer. Its time is that of the last answer of the route if it has none.
  func answer(delay sharedDelay: Delay?, pace sharedPace: ScriptedAnswer.Pace?) -> ScriptedAnswer {
    let delay = delay ?? sharedDelay ?? .fixed(.zero)
    if let fault { return ScriptedAnswer(.fault(fault), delay: delay) }
    let pace = pace ?? (hasBody ? sharedPace : nil) ?? .atOnce
    return ScriptedAnswer(.response(response), delay: delay, pace: pace)
  }

  private var hasBody: Bool { response.body.content != .empty }

  // MARK: Conflicts

  func check() throws(Diagnostic) {
    guard let status else { return }
    try checkThatBodyIsAllowed(status)
    for part in [Part.compression, .pace] where !hasBody {
      guard let word = parts[part], word.value != "at" else { continue }
      throw Diagnostic(
        .bodyNeeded(word.value),
        at: word.span,
        hint: "choose the body: json, text, html, file, bytes or base64"
      )
    }
    if let location = parts[.location], !(300...399).contains(status.value) || status.value == 304 {
      throw Diagnostic(
        .noRedirect(status: status.value),
        at: location.span,
        hint: "answer 301, 302, 303, 307 or 308, or write: with Location \"…\""
      )
    }
    if let chunks = parts[.chunks], let ending = parts[.ending], ending.value == "claiming" {
      throw Diagnostic(.conflictingClauses(chunks.value, ending.value), at: ending.span)
    }
    try checkEnding()
  }

  private func checkThatBodyIsAllowed(_ status: Located<Int>) throws(Diagnostic) {
    guard status.value == 204 || status.value == 304 else { return }
    for part in [Part.body, .compression, .chunks, .ending, .pace] {
      guard let word = parts[part], word.value != "at" else { continue }
      throw Diagnostic(
        .noBodyAllowed(status: status.value, word: word.value),
        at: word.span,
        hint: "leave it out, or answer 200"
      )
    }
  }

  /// Throws an error if the answer breaks off after the end of its body.
  private func checkEnding() throws(Diagnostic) {
    guard let word = parts[.ending], let size = response.body.knownSize else { return }
    switch response.ending {
    case .complete, .claiming: return
    case .closed(let count), .reset(let count), .silent(let count):
      // A body in chunks ends with a marker after its last byte, which can be missing.
      guard count > size || count == size && !response.isChunked else { return }
      let half = size / 2
      throw Diagnostic(
        .beyondBody(word.value, bytes: count, size: size),
        at: word.span,
        hint: size > 0
          ? "name a place in the body, as in '\("byte".counted(half))'"
          : "give it a body"
      )
    }
  }
}

extension ScriptedBody {
  /// Number of sent bytes, if it does not depend on a request, a file or compression.
  fileprivate var knownSize: Int? {
    if isCompressed { return nil }
    return switch content {
    case .empty: 0
    case .bytes(let bytes): bytes.count
    case .filler(let count): count
    case .text(let text), .json(let text): Self.echoes(text) ? nil : text.utf8.count
    case .file: nil
    }
  }

  /// Whether a text may insert a part of the request, which has the form `{name`.
  private static func echoes(_ text: String) -> Bool {
    zip(text.utf8, text.utf8.dropFirst()).contains {
      $0 == UInt8(ascii: "{") && $1.isWordByte
    }
  }
}
