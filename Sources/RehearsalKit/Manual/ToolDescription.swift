import RehearsalBase
import Script

/// The arguments of a program, as the argument parser describes them in JSON.
struct ToolDescription {
  let root: Command

  /// A command or a subcommand.
  struct Command {
    let name: String
    let abstract: String
    let discussion: String
    let arguments: [Argument]
    /// The names of all options and flags, also of those that help does not show, with their dashes.
    let optionNames: Set<String>
    let subcommands: [Command]
  }

  /// One argument, option or flag.
  struct Argument {
    enum Kind: String {
      case positional, option, flag
    }

    let kind: Kind
    /// The names, with their dashes.
    let names: [String]
    let valueName: String
    let abstract: String
    let defaultValue: String?
    let values: [String]
    let isOptional: Bool
    let isRepeating: Bool
  }

  /// Reads a description of format version 0; nil if the text is not one.
  init?(dump: String) {
    var parser = Parser(dump, table: CommandTable([]))
    guard let value = try? parser.value().value, let command = value["command"] else { return nil }
    root = Command(command)
  }
}

extension ToolDescription.Command {
  fileprivate init(_ value: JSONValue) {
    name = value["commandName"]?.string ?? ""
    abstract = value["abstract"]?.string ?? ""
    discussion = value["discussion"]?.string ?? ""
    let all = value["arguments"]?.elements ?? []
    arguments = all.filter(\.isShown).compactMap { ToolDescription.Argument($0) }
    optionNames = Set(all.compactMap { ToolDescription.Argument($0) }.flatMap(\.names))
    subcommands = (value["subcommands"]?.elements ?? []).filter(\.isShown)
      .map { ToolDescription.Command($0) }.filter { $0.name != "help" }
  }
}

extension ToolDescription.Argument {
  fileprivate init?(_ value: JSONValue) {
    guard let kind = value["kind"]?.string.flatMap(Kind.init) else { return nil }
    self.kind = kind
    names = (value["names"]?.elements ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
    }
    valueName = value["valueName"]?.string ?? ""
    abstract = value["abstract"]?.string ?? ""
    defaultValue = value["defaultValue"]?.string
    values = (value["allValues"]?.elements ?? []).compactMap(\.string)
    isOptional = value["isOptional"] == .bool(true)
    isRepeating = value["isRepeating"] == .bool(true)
  }
}

extension JSONValue {
  fileprivate subscript(name: String) -> JSONValue? { try? value(at: [name]).get() }

  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var elements: [JSONValue] { if case .array(let all) = self { all } else { [] } }

  fileprivate var isShown: Bool { self["shouldDisplay"] != .bool(false) }
}
