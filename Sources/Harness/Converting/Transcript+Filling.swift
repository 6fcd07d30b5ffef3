extension Transcript {
  /// The file with the output of every command as it is printed now.
  package func filled(with makePerformer: PerformerFactory) -> [UInt8] {
    TranscriptUpdate(self, Replay(self, makePerformer).differences).bytes
  }

  /// How many commands it has.
  package var commandCount: Int { blocks.count }
}
