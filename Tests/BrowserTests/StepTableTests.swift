import Testing

@testable import Timelines

/// The tables of two runs in a browser.
@Suite(.serialized) struct StepTableTests {
  private static let tables = RunTables(
    failing: RunTable(
      title: "This run",
      [
        (.zero, "'new'", "search() at Search.swift:9"), (.zero, "'new'", "→ shows new"),
        (.zero, "'old'", "search() at Search.swift:9"),
      ],
      alternatives: [
        ["'old' runs: <b>search()</b> \"at\" Search.swift:9", "a timer runs"], [], [],
      ]
    ),
    passing: RunTable(title: "A run that passes", [(.zero, "'old'", "search() at Search.swift:9")])
  )
  private let page = Page(html: tables.html)

  @Test func `keys and buttons go through the rows, which name what could have run instead`()
    throws
  {
    let seen = try page.tried(
      """
      const current = () => [...document.querySelectorAll("tr[aria-current]")].map((row) => row.textContent).join();
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      seen.none = current() + $("status").textContent + $("back").disabled;
      $("next").click();
      seen.first = current() + $("instead").hidden + [...document.querySelectorAll("#instead li")].map((item) => item.textContent).join("|");
      press("ArrowRight");
      seen.second = current() + $("instead").hidden + $("status").textContent;
      press("ArrowRight"); press("ArrowRight");
      seen.last = current() + $("next").disabled;
      press("ArrowLeft");
      seen.left = current();
      document.querySelectorAll("section")[1].querySelector("tbody tr").click();
      seen.other = current() + $("status").textContent;
      """
    )
    #expect(
      seen == [
        "errors": "", "none": "3 rows of this runtrue",
        "first":
          "0ssearch() at Search.swift:9false'old' runs: <b>search()</b> \"at\" Search.swift:9|a timer runs",
        "second": "0s→ shows newtrue2 of 3 rows of this run",
        "last": "0ssearch() at Search.swift:9true", "left": "0s→ shows new",
        "other": "0ssearch() at Search.swift:91 of 1 rows of the run that passes",
      ]
    )
  }

  @Test func `without its script, a page has the tables only`() throws {
    let document = try Page(
      html: page.html.replacing("script-src 'sha256-", with: "script-src 'sha256-x")
    )
    .loaded()
    #expect(document.contains("<nav id=\"walk\" aria-label=\"Jobs\" hidden=\"\">"))
    #expect(document.contains("→ shows new"))
  }
}
