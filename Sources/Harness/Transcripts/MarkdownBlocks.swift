import LibC

/// The blocks of a Markdown text, line by line: they decide which lines open, fill and close fences (CommonMark 0.31.2).
///
/// It ignores syntax that does not affect fences: inline text, and link definitions, which it reads as paragraphs.
struct MarkdownBlocks {
  /// A fenced code block.
  struct Fence: Equatable {
    let mark: UInt8
    let length: Int
    /// The columns before its marker.
    let column: Int
    /// The text between the marker and the end of its line.
    let info: Range<Int>
    /// Whether it is in a block quote.
    let isQuoted: Bool
  }

  /// The kind of a line.
  enum Line: Equatable {
    case opens(Fence)
    /// A line of the open fence.
    case content
    case closes
    case html(isComment: Bool)
    case indentedCode
    /// Any other line, such as a paragraph, a heading, or a blank line.
    case other
  }

  private enum Container {
    case quote
    case item(width: Int, hasContent: Bool)
  }

  private enum Leaf: Equatable {
    case none, paragraph, indentedCode
    case fence(Fence)
    case html(HTMLBlock)
  }

  /// Maximum depth of containers; the marker of a deeper one is text. The limit keeps parsing linear.
  private static let deepest = 100

  private var containers: [Container] = []
  private var leaf = Leaf.none

  /// Reads the next line, without its end.
  mutating func read(_ buffer: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Line {
    var cursor = LineCursor(buffer, start, end)
    let matched = match(&cursor)
    if matched == containers.count {
      if let line = continueLeaf(cursor) { return line }
    } else if leaf != .paragraph {
      close(downTo: matched)
    }
    return startBlocks(&cursor, matched)
  }

  /// Returns how many of the open containers the line belongs to.
  private func match(_ cursor: inout LineCursor) -> Int {
    for (index, container) in containers.enumerated() {
      switch container {
      case .quote:
        guard cursor.indent <= 3, cursor.next == UInt8(ascii: ">") else { return index }
        cursor.skipQuoteMark()
      case .item(let width, let hasContent):
        if cursor.isBlank {
          guard hasContent else { return index }
          cursor.skipBlanks()
        } else {
          guard cursor.indent >= width else { return index }
          cursor.skip(columns: width)
        }
      }
    }
    return containers.count
  }

  /// Continues the open leaf, if the line belongs to it and cannot begin anything else.
  private mutating func continueLeaf(_ cursor: LineCursor) -> Line? {
    switch leaf {
    case .fence(let fence):
      guard cursor.indent <= 3, cursor.closes(fence) else { return .content }
      leaf = .none
      return .closes
    case .html(let block):
      if block.endsAtBlank, cursor.isBlank {
        leaf = .none
        return .other
      }
      if block.ends(in: cursor) { leaf = .none }
      return .html(isComment: block == .comment)
    case .indentedCode:
      if cursor.indent >= 4 || cursor.isBlank { return .indentedCode }
      leaf = .none
    case .paragraph:
      if cursor.isBlank { leaf = .none }
    case .none: break
    }
    return nil
  }

  private mutating func startBlocks(_ cursor: inout LineCursor, _ matched: Int) -> Line {
    var isInParagraph = leaf == .paragraph && matched == containers.count
    var depth = matched
    while !cursor.isBlank {
      if cursor.indent >= 4 {
        if leaf == .paragraph { break }
        open(.indentedCode, depth)
        return .indentedCode
      }
      if cursor.next == UInt8(ascii: ">"), depth < Self.deepest {
        push(.quote, depth)
        cursor.skipQuoteMark()
      } else if let line = startLeaf(cursor, depth, isInParagraph) {
        return line
      } else if depth < Self.deepest,
        let width = cursor.skipListMark(interrupting: isInParagraph)
      {
        push(.item(width: width, hasContent: false), depth)
      } else {
        break
      }
      depth += 1
      isInParagraph = false
    }
    // A line of text may continue a paragraph without the markers of its containers.
    if !cursor.isBlank, leaf == .paragraph { return .other }
    if cursor.isBlank {
      close(downTo: depth)
    } else {
      open(.paragraph, depth)
    }
    return .other
  }

  /// Begins a leaf block.
  private mutating func startLeaf(
    _ cursor: LineCursor,
    _ depth: Int,
    _ isInParagraph: Bool
  ) -> Line? {
    if cursor.isHeading {
      open(.none, depth)
      return .other
    }
    let isQuoted = containers.prefix(depth).contains { if case .quote = $0 { true } else { false } }
    if let fence = cursor.fence(isQuoted: isQuoted) {
      open(.fence(fence), depth)
      return .opens(fence)
    }
    if let block = HTMLBlock(cursor), block != .tag || leaf != .paragraph {
      open(block.ends(in: cursor) ? .none : .html(block), depth)
      return .html(isComment: block == .comment)
    }
    if isInParagraph && cursor.isSetextLine || cursor.isThematicBreak {
      open(.none, depth)
      return .other
    }
    return nil
  }

  private mutating func open(_ leaf: Leaf, _ depth: Int) {
    close(downTo: depth)
    noteContent()
    self.leaf = leaf
  }

  private mutating func push(_ container: Container, _ depth: Int) {
    close(downTo: depth)
    noteContent()
    containers.append(container)
  }

  private mutating func close(downTo depth: Int) {
    containers.removeLast(containers.count - depth)
    leaf = .none
  }

  private mutating func noteContent() {
    if case .item(let width, false)? = containers.last {
      containers[containers.count - 1] = .item(width: width, hasContent: true)
    }
  }
}
