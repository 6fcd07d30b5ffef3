import Testing

@testable import Harness

/// Compares the fences of Markdown pages with those that `cmark` 0.30.2, the reference of CommonMark, finds.
@Suite struct MarkdownReferenceTests {
  private struct Page: Sendable {
    let text: String
    let blocks: [(line: Int, info: String, text: String)]
  }

  @Test(arguments: Self.pages.indices)
  func `the fences of a page are those that the reference finds`(index: Int) {
    let page = Self.pages[index]
    let found = MarkdownCodeBlock.all(in: Array(page.text.utf8)).filter { !$0.info.isEmpty }
    #expect(found.map(\.line) == page.blocks.map(\.line))
    #expect(found.map(\.info) == page.blocks.map(\.info))
    for (block, expected) in zip(found, page.blocks) {
      #expect(block.text == nil || block.text == expected.text)
      #expect(block.count == expected.text.utf8.count { $0 == .lineFeed })
    }
  }

  @Test(arguments: Self.pages.indices)
  func
    `a transcript that the reference finds outside of block quotes is played, any other is reported`(
      index: Int
    )
  {
    let page = Self.pages[index]
    let fences = MarkdownFences(path: "a.md", bytes: Array(page.text.utf8), program: "rehearse")
    let lines = page.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let found = page.blocks.filter { $0.info == "transcript" }.map(\.line)
    let played = fences.transcripts.map { $0.firstLine - 1 }
    #expect(played == found.filter { !lines[$0 - 1].hasPrefix(">") })
    let marks = lines.indices.filter { lines[$0].contains("transcript") }.map { $0 + 1 }
    let others = fences.unplayed.filter { fence in
      // A fence that is played is reported only if it has no closing marker.
      let isPlayed = played.contains(fence.line)
      return !(isPlayed && fence.reason.hasPrefix("the code block has no closing mark"))
    }
    #expect((played + others.map(\.line)).sorted() == marks)
  }

  private static let pages: [Page] = [
    Page(
      text: "- ```transcript\n  > a\nb\n- ```transcript\n  > c\n  ```\n",
      blocks: [(1, "transcript", "> a\n"), (4, "transcript", "> c\n")]
    ),
    Page(
      text: "- ```transcript\n  > a\n- b\n\n  ```transcript\n  > c\n  ```\n",
      blocks: [(1, "transcript", "> a\n"), (5, "transcript", "> c\n")]
    ),
    Page(
      text: "1. a\n\n   ```transcript\n   > a\n     b\n\n   > c\n   ```\n",
      blocks: [(3, "transcript", "> a\n  b\n\n> c\n")]
    ),
    Page(
      text: "1. ```transcript\n   > a\n  b\n```swift\nc\n```\n",
      blocks: [(1, "transcript", "> a\n"), (4, "swift", "c\n")]
    ),
    Page(text: "    ```transcript\n    > a\n    ```\n", blocks: []),
    Page(text: "a\n    ```transcript\n    > a\n    ```\n", blocks: []),
    Page(text: "-     ```transcript\n      > a\n", blocks: []),
    Page(text: "-    ```transcript\n     > a\n", blocks: [(1, "transcript", "> a\n")]),
    Page(text: "> ```transcript\n> > a\n> ```\n", blocks: [(1, "transcript", "> a\n")]),
    Page(
      text: "> ```transcript\n> > a\n```transcript\n> b\n```\n",
      blocks: [(1, "transcript", "> a\n"), (3, "transcript", "> b\n")]
    ),
    Page(
      text: "```transcript\r> a\r```\r~~~transcript\r\n> b\r\n~~~\n",
      blocks: [(1, "transcript", "> a\n"), (4, "transcript", "> b\n")]
    ),
    Page(text: "````transcript\n> a\n```\n````\n", blocks: [(1, "transcript", "> a\n```\n")]),
    Page(text: "```transcript\n> a\n~~~\n```\n", blocks: [(1, "transcript", "> a\n~~~\n")]),
    Page(
      text: "```transcript\n> a\n    ```\n   ```\nb\n",
      blocks: [(1, "transcript", "> a\n    ```\n")]
    ),
    Page(text: "```transcript\n> a\n``` b\n```\n", blocks: [(1, "transcript", "> a\n``` b\n")]),
    Page(
      text: "~~~transcript `a` ~~~\n> a\n~~~~ \t\n",
      blocks: [(1, "transcript `a` ~~~", "> a\n")]
    ),
    Page(text: "```transcript `a`\n> a\n```\n", blocks: []),
    Page(
      text: "<div>\n```transcript\n> a\n```\n\n```transcript\n> b\n```\n",
      blocks: [(6, "transcript", "> b\n")]
    ),
    Page(
      text: "<details><summary>\n\n```transcript\n> a\n```\n</details>\n",
      blocks: [(3, "transcript", "> a\n")]
    ),
    Page(
      text: "<pre>\n\n```transcript\n> a\n```\n</pre>\n```transcript\n> b\n```\n",
      blocks: [(7, "transcript", "> b\n")]
    ),
    Page(text: "a\n<b>\n```transcript\n> a\n```\n", blocks: [(3, "transcript", "> a\n")]),
    Page(text: "<b>\n```transcript\n> a\n```\n", blocks: []),
    Page(text: "<?php\n```transcript\n> a\n```\n?>\n", blocks: []),
    Page(text: "<![CDATA[\n```transcript\n> a\n```\n]]>\n", blocks: []),
    Page(
      text: "- <!-- a\n  ```transcript\n  > a\n```transcript\n> b\n```\n",
      blocks: [(4, "transcript", "> b\n")]
    ),
    Page(
      text: "<!-- a\n- ```transcript\n  > a\n-->\n```transcript\n> b\n",
      blocks: [(5, "transcript", "> b\n")]
    ),
    Page(text: "-\n  ```transcript\n  > a\n", blocks: [(2, "transcript", "> a\n")]),
    Page(text: "-\n\n  ```transcript\n  > a\n", blocks: [(3, "transcript", "> a\n")]),
    Page(text: "a\n2. ```transcript\n   > a\n", blocks: []),
    Page(text: "a\n1. ```transcript\n   > a\n", blocks: [(2, "transcript", "> a\n")]),
    Page(text: "-\ta\n\n  ```transcript\n  > a\n", blocks: [(3, "transcript", "> a\n")]),
    Page(text: "- - 1. ```transcript\n       > a\n     b\n", blocks: [(1, "transcript", "> a\n")]),
    Page(text: "a\n-\n  ```transcript\n  > a\n  ```\n", blocks: [(3, "transcript", "> a\n")]),
    Page(text: "a\n---\n    ```transcript\n", blocks: []),
    Page(
      text: "* * *\n    ```transcript\n```transcript\n> a\n",
      blocks: [(3, "transcript", "> a\n")]
    ),
    Page(
      text: "# a\n    ```transcript\n```transcript\n> a\n",
      blocks: [(3, "transcript", "> a\n")]
    ),
    Page(text: "> a\n```transcript\n> b\n```\n", blocks: [(2, "transcript", "> b\n")]),
    Page(text: "- a\n```transcript\n> b\n```\n", blocks: [(2, "transcript", "> b\n")]),
    Page(text: "  ```transcript\n> a\n   b\n ```\n", blocks: [(1, "transcript", "> a\n b\n")]),
    Page(
      text: "1234567890. ```transcript\n```transcript\n> a\n",
      blocks: [(2, "transcript", "> a\n")]
    ),
  ]
}
