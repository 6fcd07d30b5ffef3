import Testing

@testable import Script

@Suite struct PipeParserTests {
  @Test(arguments: [
    "users", "just 1", "values 1, \"a\", null", "empty", "never", "fail \"no network\"",
    "fail transport forbidden \"example.com\"", "load \"Ann\" after 200ms", "load never",
    "load fail http 503 after 1s", "load from GET /users?page=2 after 1s as [User]?",
    "load from endpoint upcoming as Date \"yyyy-MM-dd\"", "future 1 after 1s",
    "deferred (future fail \"boom\")", "timer 1.5s",
  ])
  func `a source has one spelling`(text: String) throws {
    #expect(try PipeScript.spec(text)?.text == text)
  }

  @Test(arguments: [
    "map author.name", "map {\"q\": \"{value}\"}", "map \"{value.name}!\"",
    "map (just \"{value}\")",
    "map load from GET /users/{value}/posts?by={value.name}", "filter length >= 3",
    "filter name == \"Ann\"", "filter != null", "filter < -2.5", "throttle 500ms",
    "throttle 500ms first", "debounce 1.5s", "delay 2m", "timeout 5s",
    "timeout 5s fail url timedOut", "removeDuplicates", "switchToLatest",
    "flatMap load \"{value}\" after 1s", "flatMap max 2 (load 1 | retry 2)", "retry 3",
    "replaceError []", "catch (other | first)", "merge b, c", "combineLatest b, (c | map name)",
    "zip (values 1, 2), b", "share", "scan sum", "scan join", "prefix 2", "dropFirst 1", "first",
    "last", "collect", "compactMap", "compactMap author.name", "compactMap \"{value}!\"",
    "tryMap fail \"none\"", "tryMap name fail http 400 if name.length < 3",
    "tryMap {\"q\": \"{value}\"} fail timeout", "replaceNil 0", "replaceEmpty []",
    "mapError url timedOut", "scan sum from 10", "reduce join", "reduce list from []", "count",
    "prepend 1, \"a\"", "prepend b", "append load 1 after 1s", "append (b | first)",
    "append (empty)", "prefix while length < 3", "prefix until b", "prefix until (just 1)",
    "drop while < 3", "drop until (b | first)", "first where name == \"Ann\"", "collect 3",
    "collect 500ms", "collect 1s max 3", "buffer 10", "buffer 1 keepFull",
    "buffer 1 keepFull dropNewest", "buffer 1 fail \"full\"", "receive on main",
    "receive on background", "subscribe on main", "handleEvents", "handleEvents output",
    "handleEvents subscription, output, request",
  ])
  func `a stage has one spelling`(stage: String) throws {
    #expect(try PipeScript.spec("a | " + stage)?.text == "a | " + stage)
  }

  @Test(arguments: [
    ("(a | first) | last", "a | first | last"), ("((a))", "a"), ("a | map (b)", "a | map (b)"),
    ("a | throttle 1000ms latest", "a | throttle 1s"), ("a | catch 0", "a | catch (just 0)"),
    ("a|map name|first", "a | map name | first"), ("values 1", "just 1"),
    ("a | map (load 1)", "a | map load 1"), ("a | flatMap (load 1)", "a | flatMap load 1"),
    ("load 1 as Int after 1s", "load 1 after 1s as Int"), ("a | merge (b)", "a | merge b"),
    ("load from /users", "load from GET /users"), ("a | catch load 1", "a | catch (load 1)"),
    ("a | prepend (values 1, 2)", "a | prepend 1, 2"), ("a | append (b)", "a | append b"),
    ("a | buffer 1 byRequest dropOldest", "a | buffer 1"),
    ("a | handleEvents request, output, output", "a | handleEvents output, request"),
    (
      "a | handleEvents subscription, output, completion, cancel, request", "a | handleEvents"
    ),
    ("a | append (load 1)", "a | append load 1"), ("a | prefix until (b)", "a | prefix until b"),
  ])
  func `equivalent spellings are equal`(text: String, same: String) throws {
    #expect(try PipeScript.spec(text)?.text == same)
  }

  @Test func `an address ends before the parenthesis that closes its pipe`() throws {
    let text = "a | flatMap (load from GET /users/({value}))"
    #expect(try PipeScript.spec(text)?.text == "a | flatMap load from GET /users/({value})")
  }

  @Test func `every part has its place in the text`() throws {
    let spec = try #require(try PipeScript.spec("users | throttle 1s"))
    #expect(spec.source.span == 5..<10)
    #expect(spec.stages.map(\.span) == [13..<24])
  }

  @Test(arguments: [
    ("", "", "expected a source, but the command ends here"),
    ("| map name", "|", "expected a source, but found '|'"),
    ("\"Ann\"", "\"", "expected a source, but found '\"'"),
    ("a | mop name", "mop", "there is no operator 'mop'"),
    ("a | | first", "|", "expected an operator, but found '|'"),
    ("a throttle 1s", "throttle", "did not expect 'throttle' here"),
    ("jst 1", "1", "did not expect '1' here"),
    ("a | throttle", "", "expected a duration, but the command ends here"),
    ("a | throttle 5", "5", "'5' has no unit"),
    ("a | filter length = 3", "=", "expected a comparison, but found '='"),
    ("a | filter length", "", "expected a comparison, but the command ends here"),
    ("a | scan summ", "summ", "expected an operation, but found 'summ'"),
    ("a | map author..name", "author..name", "expected a field, but found 'author..name'"),
    ("a | map just 1", "1", "did not expect '1' here"),
    ("a | merge just 1", "just", "expected a name, but found 'just'"),
    ("a | switchToLatest 1", "1", "did not expect '1' here"),
    ("a | flatMap just 1", "just", "expected 'load' or a pipe in parentheses, but found 'just'"),
    ("a | flatMap max 0 (just 1)", "0", "'0' is not a whole number of at least 1"),
    ("timer 0s", "0s", "'0s' is not longer than 0s"),
    ("a | collect 0s", "0s", "'0s' is not longer than 0s"),
    ("a | collect 1s max 0", "0", "'0' is not a whole number of at least 1"),
    ("a | buffer 0", "0", "'0' is not a whole number of at least 1"),
    ("a | receive main", "main", "expected 'on', but found 'main'"),
    ("a | receive on man", "man", "expected a queue, but found 'man'"),
    ("a | handleEvents outputs", "outputs", "expected an event, but found 'outputs'"),
    ("a | tryMap name", "", "expected 'fail' and an error, but the command ends here"),
    ("a | drop 2", "2", "expected 'while' or 'until', but found '2'"),
    ("a | prefix all", "all", "expected a number, 'while' or 'until', but found 'all'"),
    ("a | append", "", "expected a value or a source, but the command ends here"),
    ("load", "", "expected the answer of the load, but the command ends here"),
    ("load | first", "|", "expected the answer of the load, but found '|'"),
    ("load 1 after 1s after 2s", "after", "'after' is given twice"),
    ("a | map {\"q\": \"{name}\"}", "{\"q\": \"{name}\"}", "'{name}' is not a placeholder"),
    ("a | map {value}", "{value}", "not a JSON value: a placeholder must be in quotes"),
    ("a | map load from /users/{id}", "{id}", "'{id}' is not a placeholder"),
    ("load from /users/{value}", "{value}", "'{value}' has no value here"),
    ("just \"{value.name}\"", "\"{value.name}\"", "'{value.name}' has no value here"),
    ("a | map load from /users/{", "{", "not a path or an address: a request has no captures"),
    (
      "a | map load from /x sending {\"a\": \"{b}\"}", "{\"a\": \"{b}\"}",
      "'{b}' is not a placeholder"
    ),
    ("(a | first", "(", "the parenthesis is never closed"),
    ("a | first)", ")", "did not expect ')' here"),
    ("a |", "|", "nothing follows the last '|'"),
  ])
  func `a mistake has its place`(text: String, place: String, sentence: String) {
    #expect(PipeScript.mistake(in: text)?.dropLast() == [place, sentence])
  }

  @Test(arguments: [
    ("\"Ann\"", "did you mean 'just \"Ann\"'?"), ("a | mop name", "did you mean 'map'?"),
    ("a throttle 1s", "write '|' before an operator"), ("jst 1", "did you mean 'just'?"),
    ("a | filter length = 3", "did you mean '=='?"), ("a | scan summ", "did you mean 'sum'?"),
    ("a | drop 2", "did you mean 'dropFirst 2'?"),
    ("a | receive on DispatchQueue.main", "did you mean 'main'?"),
    ("a | startWith 1", "did you mean 'prepend VALUE'?"),
    ("a | takeUntil b", "did you mean 'prefix until SOURCE'?"),
    ("a | tap", "did you mean 'handleEvents'?"), ("a | print", "did you mean 'handleEvents'?"),
    ("a | map just 1", "put a pipe into parentheses: (just …)"),
    ("a | merge just 1", "put 'just' into parentheses: (just …)"),
    ("a | map {value.name}", "did you mean \"{value.name}\"?"),
    ("a | map load from /users/{valeu}", "did you mean '{value}'?"),
  ])
  func `a mistake has a suggestion`(text: String, hint: String) {
    #expect(PipeScript.mistake(in: text)?.last == hint)
  }

  @Test func `without an operator the hint lists all operators`() {
    let hint = PipeScript.mistake(in: "a | frobnicate")?.last ?? ""
    #expect(hint.hasPrefix("the operators are 'map', 'compactMap', "))
    #expect(PipeWords.stages.allSatisfy { hint.contains("'\($0.word)'") })
  }

  @Test func `pipes have a maximum nesting depth`() {
    let deep = { (levels: Int) in
      String(repeating: "(", count: levels) + "a" + String(repeating: ")", count: levels)
    }
    #expect(PipeScript.mistake(in: deep(16)) == nil)
    #expect(PipeScript.mistake(in: deep(17))?[1] == "nested deeper than 16 levels")
    #expect(PipeScript.mistake(in: deep(100_000))?[1] == "nested deeper than 16 levels")
  }

  @Test func `a pipe has a maximum number of parts`() {
    let long = { (stages: Int) in "a" + String(repeating: " | first", count: stages) }
    #expect(PipeScript.mistake(in: long(999)) == nil)
    #expect(PipeScript.mistake(in: long(1000))?[1] == "there are more than 1000 parts in one pipe")
  }
}
