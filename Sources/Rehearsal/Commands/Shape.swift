import Script

extension ShellCommand {
  static let shape = ShellCommand(
    definition: CommandDefinition(
      "shape",
      topic: .members,
      summary: "Declares a shape: the fields of an object and their types.",
      details: [
        "A value fits if it has every field with the right type. A field whose type ends in '?' may be null or missing. Additional fields are allowed. 'Date \"yyyy-MM-dd\"' is a date in that format; 'help values' lists all types."
      ],
      arguments: [.slot(shapeSlot)],
      effects: [.changes, .declaresName],
      examples: [
        """
        > shape Post { id: Int, title: String, tags: [String]? }
        > loadable posts: [Post]
        > load posts [{"id": 1, "title": "Hello"}]
             0.000s  posts  absent → loading #1
             0.000s  posts  loading #1 → loaded [{"id": 1, "title": "Hello"}]
        """
      ]
    )
  ) { session, arguments throws(Diagnostic) in
    let shape = arguments.required(shapeSlot)
    let known = session.members.typeNames
    guard !known.contains(shape.name.value) else {
      throw Diagnostic(.shapeExists(shape.name.value), at: shape.name.span)
    }
    var fields: [ValueType.Field] = []
    for field in shape.fields {
      guard !fields.contains(where: { $0.name == field.name.value }) else {
        throw Diagnostic(.repeatedField(field.name.value), at: field.name.span)
      }
      fields.append(.init(name: field.name.value, type: try session.type(field.type)))
    }
    session.members.addShape(shape.name.value, .shape(shape.name.value, fields))
  }

  private struct WrittenShape: Sendable {
    let name: Located<String>
    var fields: [(name: Located<String>, type: TypeExpression)] = []
  }

  private static let shapeSlot = Slot<WrittenShape>("shape", "NAME { FIELD: TYPE, … }") {
    parser throws(Diagnostic) in
    var shape = WrittenShape(name: try parser.newName("the name of a shape"))
    let opening = parser.nextSpan
    guard parser.accept(byte: UInt8(ascii: "{")) else { throw parser.expected("'{'") }
    while !parser.accept(byte: UInt8(ascii: "}")) {
      if parser.isAtEnd {
        parser.expect(.sample("the name of a field", example: "id"))
        throw Diagnostic(.unfinished("the shape"), at: opening, hint: "close it with '}'")
      }
      let name = try parser.newName("the name of a field")
      guard parser.accept(byte: UInt8(ascii: ":")) else { throw parser.expected("':'") }
      shape.fields.append((name, try parser.type()))
      if !parser.accept(byte: UInt8(ascii: ",")), !parser.isNext(byte: UInt8(ascii: "}")),
        !parser.isAtEnd
      {
        throw parser.expected("',' or '}'")
      }
    }
    return shape
  }
}
