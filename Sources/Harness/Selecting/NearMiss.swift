import RehearsalBase

/// The notes about files and fences that look like transcripts and are not played, with the reasons. Such files are
/// easy to overlook.
package enum NearMiss {
  /// The word that marks a transcript.
  static let word = "transcript"
  /// The possible lengths of a misspelled word.
  private static let lengths = 8...12
  /// Extensions of files that programs write next to a transcript on purpose.
  private static let companions: Set<String> = ["pending", "orig", "rej", "bak"]
  /// Other file name extensions of Markdown, and those of other markup languages, in lower case.
  private static let pageEndings: Set<String> = [
    "md", "markdown", "mdown", "mkd", "mkdn", "mkdown", "mdtext", "mdtxt", "mdwn", "mdx", "mdc",
    "livemd", "qmd", "rmd", "rmarkdown", "rst", "adoc", "asciidoc", "asc", "org", "textile",
  ]
  private static let pageLengths = 2...9
  /// First letters of these extensions.
  private static let pageInitials = Set("mlqraot".utf8)
  /// A larger page is not read, since the user did not name it.
  private static let largestPage = FileBytes.limitInBytes
  /// Maximum number of files in a note.
  private static let namedFiles = 20

  /// Whether a file name has almost the extension of a transcript: `a.transcrpt`, `a.TRANSCRIPT`,
  /// `a.transcript.txt`.
  static func isFile(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let dot = UInt8(ascii: ".")
    guard let last = name.lastIndex(of: dot), last > 0 else { return endsInWord(name[...]) }
    let ending = name[(last + 1)...]
    let stem = name[..<last]
    if textEndings.contains(ending.count), isTextEnding(ending), endsInWord(stem) { return true }
    // Browsers and file managers add a suffix if a file of the same name exists.
    if ending.count > word.utf8.count, text(ending.prefix(word.utf8.count)) == word,
      let next = ending.dropFirst(word.utf8.count).first, !isLetter(next)
    {
      return ending.last != UInt8(ascii: "~") && ending.last != UInt8(ascii: "#")
    }
    if lengths.contains(ending.count), ending.last != UInt8(ascii: "~"), isMisspelt(ending) {
      return !stem.allSatisfy { $0 == dot }
    }
    guard let before = stem.lastIndex(of: dot), before > 0,
      text(stem[(before + 1)...]) == word
    else { return false }
    return !companions.contains(text(ending)) && ending.last != UInt8(ascii: "~")
  }

  /// Whether a name without its ending is the word, or ends in it after a character that is no letter: `b_transcript`.
  private static func endsInWord(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard name.last.map({ $0 | 0x20 }) == UInt8(ascii: "t"),
      text(name.suffix(word.utf8.count)) == word
    else { return false }
    return name.dropLast(word.utf8.count).last.map { !isLetter($0) } ?? true
  }

  private static let textEndings = 3...4

  private static func isTextEnding(_ ending: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    ["txt", "text"].contains(text(ending))
  }

  /// Whether a file name is that of a page, but without the extension `.md`: `a.MD`, `a.markdown`, `a.mdx`,
  /// `a.md.disabled`.
  static func isPage(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let last = name.lastIndex(of: UInt8(ascii: ".")), last > 0 else { return false }
    let ending = name[(last + 1)...]
    // A page that was put aside: `a.md.disabled`.
    if last > 3, text(name[(last - 3)..<last]) == ".md" {
      return !companions.contains(text(ending)) && ending.last != UInt8(ascii: "~")
    }
    // A fast check, because folders are full of other files.
    return pageLengths.contains(ending.count) && pageInitials.contains(ending[last + 1] | 0x20)
      && pageEndings.contains(text(ending))
      && !ending.elementsEqual("md".utf8)
  }

  /// Whether such a page has a fence that would be played.
  static func holdsTranscripts(_ path: String) -> Bool {
    guard let bytes = try? FileBytes.readAny(path, limitInBytes: largestPage) else { return false }
    let fences = MarkdownFences(path: path, bytes: bytes, program: ProgramName.current)
    return !fences.transcripts.isEmpty || !fences.unplayed.isEmpty
      || bytes.split(separator: .lineFeed).contains(where: opensListing)
  }

  /// Whether a line begins a listing of a transcript in reStructuredText, AsciiDoc or Org.
  private static func opensListing(_ line: ArraySlice<UInt8>) -> Bool {
    let line = line.drop(while: \.isBlank)
    guard line.count <= 200, let first = line.first, "[.#".utf8.contains(first) else {
      return false
    }
    let words = text(line).split { !$0.isLetter }
    guard words.contains(Substring(word)) else { return false }
    return ["code", "sourcecode", "source", "begin"].contains { $0 == words[0] }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Returns the note about a page whose name looks like a transcript's, and that has no fence.
  static func note(ofPage path: String) -> String? {
    guard path.hasSuffix(".\(word).md") else { return nil }
    return
      "\(FailureText.quoted(path)) is not replayed: a page has transcripts in code blocks, and a transcript's name ends in .transcript"
  }

  /// Returns why a fence is not played if its mark is almost right: `Transcript`, `transcripts`, or the right word
  /// among others: `{.transcript}`, `transcript,ignore`, `text transcript`; nil for any other mark.
  static func reason(ofFence words: [String]) -> String? {
    // A fast check that excludes nearly all other fences.
    guard let mark = words.first, mark != word,
      words.contains(where: { lengths.lowerBound <= $0.utf8.count })
    else { return nil }
    if words.dropFirst().first == word || parts(of: words).contains(word) || hasPart(mark) {
      let marks = words.joined(separator: " ")
      return
        "the code block marked '\(marks)' is not replayed: '\(word)' has to be the first word, alone"
    }
    guard lengths.contains(mark.utf8.count), isMisspelt(mark.utf8) else { return nil }
    return "the code block marked '\(mark)' is not replayed: the word is '\(word)'"
  }

  /// Returns why a fence is not played if its first word spells `transcript` with escapes: `trans&#99;ript`,
  /// `tran\script`.
  static func reason(ofSpelledFence info: String) -> String? {
    guard info.contains("&") || info.contains("\\") else { return nil }
    var text = ""
    var rest = info[...]
    while let first = rest.popFirst() {
      if first == "\\" { continue }
      guard first == "&", let end = rest.firstIndex(of: ";") else {
        text.append(first)
        continue
      }
      let name = rest[..<end]
      rest = rest[rest.index(after: end)...]
      let digits =
        name.hasPrefix("#x") || name.hasPrefix("#X") ? name.dropFirst(2) : name.dropFirst()
      let number = UInt32(
        digits,
        radix: digits.startIndex == name.index(after: name.startIndex) ? 10 : 16
      )
      let scalar = name.hasPrefix("#") ? number.flatMap(Unicode.Scalar.init) : nil
      // No named entity stands for a letter of the word.
      text.append(scalar.map(Character.init) ?? " ")
    }
    guard text.split(whereSeparator: \.isWhitespace).first?.lowercased() == word else { return nil }
    let shown = info.trimmingPrefix(while: \.isWhitespace)
    return
      "the code block marked '\(shown)' is not replayed: '\(word)' has to be written in letters alone"
  }

  /// Whether a part of a mark, separated by non-letters, is the word or begins with it: `language-transcript`,
  /// `transcript_login`, `transcription`. At most two more letters count as a misspelling.
  private static func hasPart(_ mark: String) -> Bool {
    let parts = mark.lowercased().split { !$0.isLetter }
    return parts.contains {
      $0.hasPrefix(word) && (parts.count > 1 || $0.count > lengths.upperBound)
    }
  }

  /// Returns the first word, or everything in braces, split at characters that words do not contain.
  private static func parts(of words: [String]) -> [String] {
    let isInBraces = words.first?.utf8.first == UInt8(ascii: "{")
    let marks = isInBraces ? words.filter { !$0.contains("=") } : Array(words.prefix(1))
    return marks.flatMap { word in
      word.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map(String.init)
    }
  }

  /// Returns why a fence is not played if its second word is not a program's name, or is almost `program`.
  static func reason(ofProgram name: String, in program: String) -> String? {
    guard name != program else { return nil }
    let isName = name.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.".unicodeScalars.contains(scalar)
    }
    let fence = "the code block marked '\(word) \(name)' is not replayed:"
    guard isName else {
      return
        "\(fence) a second word names a program; a name and tags are comments in the code block"
    }
    let isNear =
      name.lowercased() == program.lowercased()
      || min(name.count, program.count) >= 6 && Suggestion.isMisspelt(name, for: program)
    return isNear ? "\(fence) this program is '\(program)'" : nil
  }

  /// Reasons why fences are not played because of the text around them.
  static let tab = "the code block is not replayed: it is indented by a tab, and only spaces count"
  static let foreign =
    "the code block is not replayed: a character before it is not printable ASCII, such as a no-break space"
  static let quotation = "the code block is not replayed: it is in a block quote"
  static let comment = "the code block is not replayed: it is in a comment"
  static let html = "the code block is not replayed: it is in HTML, which only a blank line ends"
  static let indented = "the code block is not replayed: four spaces before it make it code or text"
  static let endOfItem =
    "the code block has no closing mark and ends with its list item: lines after it that are not indented are not replayed"
  static let backTick = "the code block is not replayed: a back-tick follows its mark"

  /// Returns the reason for a fence inside the fence that opens in a line.
  static func nested(inFenceOfLine line: Int) -> String {
    "the code block is not replayed: it is in the code block of line \(line), which is not closed before it"
  }

  /// Returns the notes about files and about pages with transcripts, both sorted by path.
  static func notes(ofFiles paths: [String], pages: [String]) -> [String] {
    [(paths, fileRule), (pages, pageRule)].filter { !$0.0.isEmpty }.map { paths, rule in
      "\(names(paths)) \(paths.count == 1 ? "is" : "are") not replayed: \(rule)"
    }
  }

  /// Returns the note about links without a target, sorted; nil if there are none.
  static func note(ofDanglingLinks paths: [String]) -> String? {
    guard !paths.isEmpty else { return nil }
    let verb = paths.count == 1 ? "leads" : "lead"
    return "\(names(paths)) \(verb) nowhere: if transcripts belong there, they are not replayed"
  }

  /// Returns notes about folders with transcripts next to a folder, whose names differ from its name only in case.
  static func notes(ofFoldersNamedLike path: String) -> [String] {
    let (parent, name) = Folder.of(path)
    return Folder.entries(of: parent).filter { $0.hasSuffix("/") }.map { String($0.dropLast()) }
      .filter { $0 != name && $0.lowercased() == name.lowercased() }
      .map { parent == "/" ? "/\($0)" : "\(parent)/\($0)" }
      .filter {
        !TranscriptSelection(paths: [$0]).entries.allSatisfy { Transcripts.load($0).isEmpty }
      }
      .map { "\(names([$0])) is not replayed: the named folder is \(names([path]))" }
  }

  /// Returns the note about transcripts that are hidden by a dot in their path, sorted; nil if there are none.
  static func note(ofHiddenFiles paths: [String]) -> String? {
    if paths.isEmpty { return nil }
    return "\(names(paths)) \(paths.count == 1 ? "is" : "are") not replayed: \(hiddenRule)"
  }

  /// Returns what to do if only such files and pages were found; nil if there are none.
  static func hint(forFiles paths: [String], pages: [String], hidden: [String]) -> String? {
    let rules = [(paths, fileRule), (pages, pageRule), (hidden, hiddenRule)]
    return rules.first { !$0.0.isEmpty }.map { "rename \(names($0.0)): \($0.1)" }
  }

  /// Whether a name with a dot in front is that of an auxiliary file: a lock of Emacs, or metadata that macOS stores on
  /// foreign disks.
  static func isCompanion(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count > 1 && (name[1] == UInt8(ascii: "#") || name[1] == UInt8(ascii: "_"))
  }

  private static let fileRule = "transcripts end in .transcript"
  private static let pageRule = "pages of Markdown end in .md"
  private static let hiddenRule = "names that begin with a dot are left out"

  /// Returns the note about a fence.
  package static func note(_ reason: String, in path: String, line: Int) -> String {
    "\(FailureText.quoted(path)):\(line): \(reason)"
  }

  /// Returns the note about a comment that almost sets tags.
  static func note(ofTags comment: String, in path: String, line: Int) -> String {
    note(
      "the comment '# \(comment)' does not set these tags: write '# tags: WORD, WORD' above the first command",
      in: path,
      line: line
    )
  }

  /// Returns the note about a comment that almost sets a tag.
  static func note(ofTag tag: String, _ comment: String, in path: String, line: Int) -> String {
    note(
      "the comment '# \(comment)' does not set the tag '\(tag)': write '# tags: \(tag)'",
      in: path,
      line: line
    )
  }

  private static func names(_ paths: [String]) -> String {
    let names = paths.prefix(namedFiles).map(FailureText.quoted).joined(separator: ", ")
    let rest = paths.count - namedFiles
    return names + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func isMisspelt(_ bytes: some Collection<UInt8>) -> Bool {
    Suggestion.isMisspelt(String(decoding: bytes, as: UTF8.self), for: word)
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }
}

extension TranscriptSelection {
  /// Files of the searched folders whose names almost end in `.transcript`, without those that the user named; sorted.
  var nearMissesOfFolders: [String] { unnamed(nearMisses) }

  /// Pages of the searched folders that contain transcripts and do not end in `.md`; sorted.
  var pagesOfFolders: [String] { unnamed(pages).filter(NearMiss.holdsTranscripts) }

  /// Transcripts and pages with transcripts that are not played only because of a dot in their path, without those that
  /// the user named; sorted.
  var hiddenFilesOfFolders: [String] {
    unnamed(hiddenFiles).filter { !Transcripts.isMarkdown($0) || NearMiss.holdsTranscripts($0) }
  }

  /// Notes about everything in the searched folders that looks like a transcript and is not played.
  package var notes: [String] {
    NearMiss.notes(ofFiles: nearMissesOfFolders, pages: pagesOfFolders)
      + [
        NearMiss.note(ofDanglingLinks: danglingLinks.sorted()),
        NearMiss.note(ofHiddenFiles: hiddenFilesOfFolders),
      ].compactMap(\.self)
  }

  /// Notes about pages whose names look like a transcript's, and that have no fence.
  package var notesOfPages: [String] {
    entries.compactMap { entry in
      Transcripts.fences(entry)?.isEmpty == true ? NearMiss.note(ofPage: entry.path) : nil
    }
  }

  private func unnamed(_ found: [String]) -> [String] {
    guard !found.isEmpty else { return [] }
    return Set(found).subtracting(entries.filter(\.isNamed).map(\.path)).sorted()
  }
}
