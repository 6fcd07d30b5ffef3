/// Generates pages of Markdown with nested blocks and blocks that end early.
struct MarkdownPage {
  static let fronts = [
    "", "", "", "- ", "1. ", "2. ", "> ", ">", "* ", "+ ", "10) ", " ", "  ", "   ", "    ", "\t",
    "-\t",
    "-", "1.", "-    ", "-     ",
  ]

  static let leaves = [
    "```transcript", "```transcript", "~~~transcript", "````transcript rehearse", "``` transcript",
    "```transcript `x`", "```", "```", "```", "~~~", "````", "~~~~", "```swift", "`````text", "``",
    "a", "word *b*", "> now", "  out", "", "", "", " ", "---", "***", "===", "- - -", "* * *",
    "_ _ _",
    "# Heading", "#", "####### a", "<!-- a", "b -->", "<!-- c -->", "<!-->", "<div>", "</div>",
    "<details open>", "<summary>x</summary>", "<table", "<pre>", "</pre>", "<script>", "</script>",
    "<?php", "?>", "<!DOCTYPE x", "<![CDATA[", "]]>", "<a href=\"x\">", "<b>", "</i >",
    "<x y='z' />", "<x y=z", "text <b>", "<https://a.b>", "<b> c", "1.", "-", "12345678901. a",
  ]

  private static let ends = ["\n", "\n", "\n", "\n", "\r\n", "\r"]

  /// Generates one page.
  static func compose(_ random: inout Randomness) -> String {
    let isMixed = random.once(in: 8)
    let end = random.pick(ends)
    var page = ""
    for _ in 0...random.below(14) {
      for _ in 0..<random.below(4) { page += random.pick(fronts) }
      page += random.pick(leaves)
      page += isMixed ? random.pick(ends) : end
    }
    if random.once(in: 4) { page.removeLast() }
    return page
  }
}
