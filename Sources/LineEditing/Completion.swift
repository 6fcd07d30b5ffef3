extension LineEditor {
  /// One possible completion of a word.
  public struct Candidate: Sendable, Equatable {
    /// The whole word, beginning at the characters that `Completion.replacing` covers.
    public var text: String
    /// A short description of the word on one line; may be empty.
    public var description: String
    /// Whether a space is inserted after it if it is the only candidate. False for a folder's slash.
    public var endsWord: Bool

    /// Creates a candidate.
    public init(text: String, description: String = "", endsWord: Bool = true) {
      self.text = text
      self.description = description
      self.endsWord = endsWord
    }
  }

  /// The possible completions at the caret, and what Tab does with them: it inserts, replaces or lists.
  public struct Completion: Sendable, Equatable {
    /// The number of `Character`s before the caret that a candidate replaces.
    public var replacing: Int
    /// The candidates in the order of the list.
    public var candidates: [Candidate]
    /// The number of candidates that are not listed.
    public var moreCount: Int
    /// The common prefix of all candidates, including unlisted ones; nil to derive it from the listed ones.
    public var common: String?

    /// Creates a set of completions.
    public init(
      replacing: Int,
      candidates: [Candidate],
      moreCount: Int = 0,
      common: String? = nil
    ) {
      self.replacing = replacing
      self.candidates = candidates
      self.moreCount = moreCount
      self.common = common
    }

    /// No completion.
    public static let none = Completion(replacing: 0, candidates: [])
  }
}

/// The effect of Tab on the line, independent of an editor.
enum CompletionEdit: Equatable {
  /// There is no candidate.
  case nothing
  /// Removes a number of scalars before the caret and inserts the text.
  case replace(scalars: Int, with: String)
  /// Several candidates match and have no longer common prefix.
  case list

  /// Decides by the line before and after the caret.
  init(_ completion: LineEditor.Completion, before: String, after: String) {
    let typed = String(before.suffix(max(0, completion.replacing)))
    guard let first = completion.candidates.first else {
      self = .nothing
      return
    }
    if completion.candidates.count == 1, completion.moreCount == 0 {
      let space = first.endsWord && !after.hasPrefix(" ") ? " " : ""
      self = Self.replacing(typed, with: first.text + space)
      return
    }
    let common =
      completion.common
      ?? completion.candidates.dropFirst().reduce(first.text) {
        String(zip($0, $1.text).prefix { $0 == $1 }.map(\.0))
      }
    self = common.count > typed.count ? Self.replacing(typed, with: common) : .list
  }

  /// Keeps the matching typed characters, so that undo and the caret change as little as possible.
  private static func replacing(_ typed: String, with text: String) -> CompletionEdit {
    let old = Array(typed.unicodeScalars)
    let new = Array(text.unicodeScalars)
    let kept = zip(old, new).prefix { $0 == $1 }.count
    if kept == old.count, kept == new.count { return .nothing }
    var rest = String.UnicodeScalarView()
    rest.append(contentsOf: new[kept...])
    return .replace(scalars: old.count - kept, with: String(rest))
  }
}
