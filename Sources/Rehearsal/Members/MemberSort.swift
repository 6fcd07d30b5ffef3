/// The kind of a member, with its term as the raw value.
enum MemberSort: String {
  case loadable, process, pipe, publisher, input, stream, journal, property
  case customSource = "custom source"
  case marbleDiagram = "marble diagram"
}
