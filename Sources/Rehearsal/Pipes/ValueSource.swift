import Script

/// A member that others get values from, one after the other.
@MainActor protocol ValueSource: Member {
  /// Its values, for each subscriber.
  var values: ValuePublisher { get }
  /// The members that it gets its own values from.
  var sources: [any ValueSource] { get }
  /// The type of its values, `any` where it is not known.
  var valueType: ValueType { get }
  /// Whether nothing more comes from it, not even an end, once it is forgotten.
  var isSilencedByForgetting: Bool { get }
  /// How many stages work for one subscriber.
  var stageCount: Int { get }
}

extension ValueSource {
  /// Its sources, and theirs, and so on.
  var allSources: Set<ObjectIdentifier> {
    var found: Set<ObjectIdentifier> = []
    var open = sources
    while let source = open.popLast() {
      if found.insert(ObjectIdentifier(source)).inserted { open += source.sources }
    }
    return found
  }

  var sources: [any ValueSource] { [] }
  var valueType: ValueType { .any }
  var isSilencedByForgetting: Bool { false }
  var stageCount: Int { 1 }
}

extension Session {
  /// Tells of each pipe that waits for members that were forgotten just now.
  func tellPipes(withSourcesIn leaving: [any Member]) {
    let silent = leaving.compactMap { $0 as? any ValueSource }.filter(\.isSilencedByForgetting)
    guard !silent.isEmpty else { return }
    for pipe in members.all.compactMap({ $0 as? PipeMember }) where !pipe.hasEnded {
      let sources = pipe.allSources
      for source in silent where sources.contains(ObjectIdentifier(source)) {
        pipe.forgottenSources.append(source.name)
        output.printEvent(
          "\(pipe.name)  \(PipeMember.text(ofForgotten: source.name))",
          lane: pipe.lane
        )
      }
    }
  }

  /// The values of a member, for a pipe that is about to be made.
  func source(_ name: Located<String>, of pipe: String) throws(Diagnostic) -> any ValueSource {
    if name.value == pipe { throw cycle([pipe, pipe], at: name.span) }
    let member = try member(name, or: PipeWords.sources.map(\.word), madeBy: "input")
    guard let source = member as? any ValueSource else {
      throw Diagnostic(
        .noValues(name.value, is: member.word),
        at: name.span,
        hint:
          "values come from inputs, marble diagrams, pipes, publishers, and properties of scenes"
      )
    }
    // It may use a member of this name that was forgotten, and lives on in it.
    if let path = path(from: source, to: pipe) { throw cycle([pipe] + path, at: name.span) }
    return source
  }

  private func cycle(_ names: [String], at span: Range<Int>) -> Diagnostic {
    Diagnostic(
      .pipeCycle(names),
      at: span,
      hint: "a pipe's values cannot come from itself; give it another name"
    )
  }

  /// By which names a source leads to another one.
  private func path(from source: any ValueSource, to name: String) -> [String]? {
    var seen: Set<ObjectIdentifier> = []
    func path(from source: any ValueSource) -> [String]? {
      if source.name == name { return [name] }
      guard seen.insert(ObjectIdentifier(source)).inserted else { return nil }
      for next in source.sources {
        if let path = path(from: next) { return [source.name] + path }
      }
      return nil
    }
    return path(from: source)
  }
}
