extension Transcript {
  /// How many commands it has.
  package var commandCount: Int { blocks.count }
}
