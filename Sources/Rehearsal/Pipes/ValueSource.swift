import Script

/// A member with a sequence of values that pipes can use.
@MainActor protocol ValueSource: Member {
  /// Its values, for each subscriber.
  var values: ValuePublisher { get }
  /// The sources of its own values.
  var sources: [any ValueSource] { get }
  /// The type of its values; `any` if it is unknown.
  var valueType: ValueType { get }
  /// Whether forgetting it ends its values without a completion.
  var isSilencedByForgetting: Bool { get }
  /// What happens to a value that a subscriber has no demand for.
  var undemanded: UndemandedValues { get }
  /// Number of stages for one subscriber.
  var stageCount: Int { get }
}

/// What happens to values for which there is no demand.
enum UndemandedValues {
  /// There are none: the source waits for demand.
  case wait
  case drop
  /// The latest one is kept.
  case keepLatest
}

extension ValueSource {
  /// Its direct and indirect sources.
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
  var undemanded: UndemandedValues { .wait }
  var stageCount: Int { 1 }
}

extension Session {
  /// Prints a line for each pipe that still has a source among the forgotten members.
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

  /// Returns the member that supplies values to a pipe that is about to be created.
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
    // The source may use a forgotten member with this name, which still exists inside it.
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

  /// Returns the names on the way from a source to another one.
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
