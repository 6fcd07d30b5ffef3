import RehearsalBase
import Script
import Testing

@testable import Script

@Suite struct DurationTests {
  @Test(arguments: [
    (Duration.zero, "0.000s"),
    (.milliseconds(1500), "1.500s"),
    (.seconds(61), "61.000s"),
    (.nanoseconds(1_234_500_000), "1.2345s"),
    (Duration(attoseconds: 1), "0.000000000000000001s"),
    (.milliseconds(-20), "-0.020s"),
  ])
  func `the fixed form has three decimals, and more if needed`(
    duration: Duration,
    text: String
  ) {
    #expect(duration.fixed == text)
  }

  @Test(arguments: [
    (Duration.zero, "0s"),
    (.milliseconds(250), "250ms"),
    (.microseconds(1), "0.001ms"),
    (.microseconds(123_400), "123.4ms"),
    (.milliseconds(5), "5ms"),
    (.milliseconds(1500), "1.5s"),
    (.milliseconds(1050), "1.05s"),
    (.milliseconds(1005), "1.005s"),
    (.milliseconds(1230), "1.23s"),
    (.milliseconds(61_234), "61.234s"),
    (.milliseconds(60_010), "60.01s"),
    (.seconds(2), "2s"),
    (.seconds(60), "1m"),
    (.seconds(90), "90s"),
    (.seconds(5400), "90m"),
    (.seconds(7200), "2h"),
    (.seconds(876_000 * 3600), "876000h"),
    (.seconds(-2), "-2s"),
    (Duration(secondsComponent: 0, attosecondsComponent: 1), "0.000000000000001ms"),
  ])
  func `the compact form is the shortest exact one`(duration: Duration, text: String) {
    #expect(duration.compact == text)
  }

  @Test func `the longest duration can be written`() {
    #expect(Duration(attoseconds: .min).fixed.hasPrefix("-170141183460469231731.687"))
  }
}

@Suite struct ColumnTests {
  @Test(arguments: [
    ("profile", 7), ("日本語", 6), ("e\u{301}", 1), ("한", 2), ("👩‍👩‍👧", 2), ("✓", 1), ("❤️", 2), ("", 0),
  ])
  func `a character counts as many columns as it takes`(text: String, columns: Int) {
    #expect(text.widthInColumns == columns)
  }

  @Test func `characters that move the caret or reorder text are escaped`() {
    #expect("a\nb\u{1B}[2J\u{202E}x\r\n".escapingControls == #"a\nb\u{1B}[2J\u{202E}x\r\n"#)
    #expect("日本 👩‍👩‍👧".escapingControls == "日本 👩‍👩‍👧")
  }

  @Test(arguments: [(7, "profile"), (6, "profi…"), (1, "…"), (0, "")])
  func `a long text is truncated to its columns`(columns: Int, cut: String) {
    #expect("profile".cut(toColumns: columns, ellipsis: "…") == cut)
  }

  @Test func `a wide character is never cut in half`() {
    #expect("日本語".cut(toColumns: 4, ellipsis: "…") == "日…")
  }
}
