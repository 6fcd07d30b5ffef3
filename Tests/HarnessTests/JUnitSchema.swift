import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The rules of Ant's schema for reports, as far as tests need them: the elements, their order, and their
/// attributes.
final class JUnitSchema: NSObject, XMLParserDelegate {
  /// The violations, a line each; empty for a valid report.
  private(set) var problems: [String] = []
  private(set) var names: [String] = []
  private(set) var texts: [String] = []
  private var open: [(element: String, children: [String])] = []
  private var suite: [String: Int] = [:]
  private var stated: [String: Int] = [:]

  private static let required: [String: Set<String>] = [
    "testsuites": [],
    "testsuite": [
      "name", "package", "id", "tests", "failures", "errors", "time", "timestamp", "hostname",
    ],
    "properties": [], "testcase": ["name", "classname", "time"],
    "failure": ["type"], "error": ["type"], "skipped": [], "system-out": [], "system-err": [],
  ]
  private static let optional: [String: Set<String>] = [
    "testsuite": ["skipped"], "failure": ["message"], "error": ["message"], "skipped": ["message"],
  ]
  /// The permitted children of each element, in order.
  private static let children: [String: [String]] = [
    "testsuites": ["testsuite"],
    "testsuite": ["properties", "testcase", "system-out", "system-err"],
    "testcase": ["skipped", "error", "failure"],
  ]

  /// Checks a report.
  init(checking xml: String) {
    super.init()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = self
    if !parser.parse() {
      problems.append("not well formed: \(String(describing: parser.parserError))")
    }
  }

  func parser(
    _ parser: XMLParser,
    didStartElement element: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    let given = Set(attributes.keys)
    if let required = Self.required[element] {
      problems += required.subtracting(given).map { "\(element) lacks \($0)" }
      let foreign = given.subtracting(required).subtracting(Self.optional[element] ?? [])
      problems += foreign.map { "\(element) has \($0)" }
    } else {
      problems.append("\(element) is no element")
    }
    if let parent = open.last {
      let allowed = Self.children[parent.element] ?? []
      if !allowed.contains(element) { problems.append("\(element) in \(parent.element)") }
    } else if element != "testsuites" {
      problems.append("\(element) at the top")
    }
    if !open.isEmpty { open[open.count - 1].children.append(element) }
    open.append((element, []))
    enter(element, attributes)
  }

  private func enter(_ element: String, _ attributes: [String: String]) {
    switch element {
    case "testsuite":
      suite = [:]
      stated = ["tests", "failures", "errors"].reduce(into: [:]) {
        $0[$1] = attributes[$1].flatMap { Int($0) }
      }
      check(attributes["time"].flatMap { Double($0) } != nil, "time is no number")
      let time = attributes["timestamp"] ?? ""
      check(
        time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil,
        "timestamp '\(time)'"
      )
      check(attributes["hostname"]?.isEmpty == false, "no hostname")
    case "testcase":
      names.append(attributes["name"] ?? "")
      suite["tests", default: 0] += 1
      check(attributes["time"].flatMap { Double($0) } != nil, "time is no number")
    case "failure", "error": suite[element + "s", default: 0] += 1
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if ["failure", "error"].contains(open.last?.element) { texts.append(text) }
  }

  func parser(
    _ parser: XMLParser,
    didEndElement element: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard let last = open.popLast() else { return }
    let order = Self.children[element] ?? []
    let places = last.children.compactMap { order.firstIndex(of: $0) }
    check(places == places.sorted(), "children of \(element) out of order")
    switch element {
    case "testsuite":
      for name in ["properties", "system-out", "system-err"] {
        check(last.children.count { $0 == name } == 1, "\(name) is not there once")
      }
      for name in stated.keys.sorted() {
        check(stated[name] == suite[name, default: 0], "\(name) miscounted")
      }
    case "testcase": check(last.children.count <= 1, "several outcomes of one case")
    default: break
    }
  }

  private func check(_ isRight: Bool, _ problem: String) {
    if !isRight { problems.append(problem) }
  }
}
