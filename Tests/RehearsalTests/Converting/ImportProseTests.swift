import Converting
import Testing

@testable import Harness
@testable import Rehearsal

/// Text that an author wrote around a copied session.
@Suite struct ImportProseTests {
  private func imported(_ text: String) -> ImportedTranscript {
    ImportedTranscript(Array(text.utf8), table: ShellCommands.table)
  }

  @Test func `text around a quotation is not part of the session`() {
    let mail = "Look:\n\n> On Monday Ann wrote:\n>> > now\n>>   0.000s\n\nWhy?\n"

    #expect(
      imported(mail).text
        == "# ? Look:\n# ? On Monday Ann wrote:\n> now\n  0.000s\n# ? Why?\n"
    )
  }

  @Test(arguments: [
    "It fails:\n\n    > now\n      0.000s\n    > wait 1s\n",
    "* I did\n  > now\n    0.000s\n  and\n  > wait 1s\n",
    "Look:\n\n    > now\n      0.000s\n\n  then I typed\n    > wait 1s\n",
    "  1. I did\n\t> now\n\t  0.000s\n  and\n\t> wait 1s\n",
  ])
  func `prose at the left edge does not hide an indented session`(text: String) {
    let imported = imported(text)
    let failures = Transcript(path: "a", bytes: Array(imported.text.utf8)).replay {
      SessionPerformer(fixtures: $0, folder: $1)
    }

    #expect(imported.commandCount == 2)
    #expect(imported.text.contains("# ? "))
    #expect(imported.text.contains("> now\n  0.000s\n"))
    #expect(failures.isEmpty)
  }

  @Test func `prose after a session does not continue its last line`() {
    let long = "     2.000s  cart  loading #1 → loaded [\"apple\", \"pear\", \"plum\"]"
    let session = "> loadable cart\n> settle\n\(long)\n"

    for between in [">\n", "\n", "> \n\n"] {
      let imported = imported(session + between + "Is that right?\n")
      #expect(imported.text == session + "# ? Is that right?\n")
    }
    let fenced = imported("```\n\(session)```\nIs that right?\n")
    #expect(fenced.text == session + "# ? Is that right?\n")
    #expect(imported("```\n> now\n0.000s\n```\nThanks\n").unknownLines == [5])
  }

  @Test func `prose after a code block with files is not part of a file`() {
    let paste = "```\n> now\n  0.000s\n-- a --\ntext\n```\nThanks\n"

    #expect(imported(paste).text == "> now\n  0.000s\n# ? Thanks\n-- a --\ntext\n")
  }
}
