import RehearsalBase
import Testing

@testable import Script

@Suite struct PipeTemplateTests {
  private static let ann = JSONValue.object([
    .init(name: "name", value: .string("Ann & Bob")), .init(name: "age", value: .number("41")),
    .init(name: "tags", value: .array([.string("a"), .string("b")])),
  ])

  @Test(arguments: [
    ("\"{value}\"", "{\"name\": \"Ann & Bob\", \"age\": 41, \"tags\": [\"a\", \"b\"]}"),
    ("\"{value.age}\"", "41"), ("\"{value.age} years\"", "\"41 years\""),
    ("\"{value.name}!\"", "\"Ann & Bob!\""), ("[\"{value.tags}\", 1]", "[[\"a\", \"b\"], 1]"),
    ("{\"n\": \"{value.tags.length}\"}", "{\"n\": 2}"), ("\"{value.tags.1}\"", "\"b\""),
    ("\"{value.name.length}\"", "9"), ("\"{ value }\"", "\"{ value }\""),
    ("\"{{value.age}}\"", "\"{41}\""), ("\"{value.age\"", "\"{value.age\""),
  ])
  func `a placeholder keeps its type if it is the whole value`(template: String, filled: String)
    throws
  {
    let value = try JSONValue(json: Array(template.utf8))
    #expect(value.filled(with: Self.ann).text == filled)
  }

  @Test(arguments: ["tags.2", "name.first", "age.length", "nobody.at.all"])
  func `a missing part is null`(path: String) {
    #expect(JSONValue.string("{value.\(path)}").filled(with: Self.ann) == .null)
  }

  @Test(arguments: [
    ("/users/{value.name}", "GET /users/Ann%20&%20Bob"),
    ("/users?q={value.name}&a={value.age}", "GET /users?q=Ann%20%26%20Bob&a=41"),
    ("/é/{value.age}", "GET /%C3%A9/41"),
    ("/x sending {\"who\": \"{value.name}\"}", "POST /x sending json {\"who\": \"Ann & Bob\"}"),
    ("/x with X-Age \"{value.age}\"", "GET /x with X-Age \"41\""),
  ])
  func `a value in a request is escaped`(request: String, filled: String) throws {
    let spec = try #require(try PipeScript.spec("a | map load from " + request))
    guard case .map(.pipe(let inner)) = spec.stages.first?.value else {
      Issue.record("It is no pipe for each value.")
      return
    }
    #expect(Self.request(of: inner)?.filled(with: Self.ann).text == filled)
  }

  @Test func `a value in a header stays on its line`() throws {
    let spec = try #require(try PipeScript.spec("a | map load from /x with X-Name \"{value}\""))
    guard case .map(.pipe(let inner)) = spec.stages.first?.value else { return }
    let filled = Self.request(of: inner)?.filled(with: .string("a\r\nHost: b"))
    #expect(filled?.text == "GET /x with X-Name \"a  Host: b\"")
  }

  @Test func `the values of a stage are filled in, but not those of the pipes inside it`() throws {
    let text = """
      a | flatMap (b | filter != "{value.age}" | replaceError "{value.name}" | catch (just "{value}"))
      """
    let spec = try #require(try PipeScript.spec(text))
    guard case .flatMap(let inner, _) = spec.stages.first?.value else {
      Issue.record("It is no flatMap.")
      return
    }
    #expect(
      inner.stages.map { $0.value.filled(with: Self.ann).text }
        == ["filter != 41", "replaceError \"Ann & Bob\"", "catch (just \"{value}\")"]
    )
  }

  private static func request(of pipe: PipeSpec) -> RequestSpec? {
    guard case .load(let load) = pipe.source.value,
      case .request(.spec(let spec)) = load.outcomes.first
    else { return nil }
    return spec.value
  }
}
