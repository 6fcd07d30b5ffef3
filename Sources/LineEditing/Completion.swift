extension LineEditor {
  /// One way in which a word can go on.
  public struct Candidate: Sendable, Equatable {
    /// The whole word, from where `Completion.replacing` begins.
    public var text: String
    /// What the word means, in a few words of one line; may be empty.
    public var description: String
    /// Whether a space follows when this is the only candidate. Not after a folder's slash.
    public var endsWord: Bool

    /// A candidate, by default without a meaning to list, and followed by a space.
    public init(text: String, description: String = "", endsWord: Bool = true) {
      self.text = text
      self.description = description
      self.endsWord = endsWord
    }
  }

  /// What can stand at the caret.
  public struct Completion: Sendable, Equatable {
    /// How many `Character`s before the caret a candidate replaces.
    public var replacing: Int
    /// In the order in which they are listed.
    public var candidates: [Candidate]
    /// How many there are that are not listed.
    public var moreCount: Int
    /// The beginning that all have in common, the unlisted too; nil to have it found in the listed.
    public var common: String?

    /// What to suggest; several candidates should agree in where they begin.
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

    /// Nothing to suggest.
    public static let none = Completion(replacing: 0, candidates: [])
  }
}

/// What Tab does to the line, decided without an editor.
enum CompletionEdit: Equatable {
  /// Nothing fits.
  case nothing
  /// Removes so many scalars before the caret and inserts the text.
  case replace(scalars: Int, with: String)
  /// Several fit and have no more in common than what is typed.
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

  /// Keeps what is typed already, so that undo and the caret have the least to do.
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
