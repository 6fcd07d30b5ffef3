/// The kind of a member. The raw value is its term.
enum MemberSort: String {
  case loadable, process, pipe, publisher, input, stream, journal, property
  case customSource = "custom source"
  case marbleDiagram = "marble diagram"
}
