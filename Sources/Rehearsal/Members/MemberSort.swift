/// What a member is; the raw value is the word for it.
enum MemberSort: String {
  case loadable, process, pipe, publisher, input, stream, journal, property
  case customSource = "custom source"
  case marbleDiagram = "marble diagram"
}
