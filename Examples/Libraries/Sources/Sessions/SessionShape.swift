package import Exploring

/// What the generator of sessions may choose. The first of several values is the simplest.
package struct SessionShape: Sendable {
  package var sources = 1
  package var consumers = 1
  package var mostElements = 3
  package var delays = [0, 1, 2, 3]
  package var ends: [SourcePlan.End] = [.finish, .fail, .never]
  package var kinds: [SourcePlan.Kind] = [.pulled, .pushed]
  package var pauses = [0, 0, 1, 2, 3]
  package var takes: [Int?] = [nil, nil, nil, 0, 1, 2]
  package var cancelSeconds: [Int?] = [nil, nil, 0, 1, 2, 3, 4, 5]

  package init(sources: Int = 1, consumers: Int = 1) {
    self.sources = sources
    self.consumers = consumers
  }
}

/// A generated session: a plan for each source and for each consumer.
package struct SessionPlan: Sendable {
  package var sources: [SourcePlan]
  package var consumers: [ConsumerPlan]

  @MainActor package init(_ run: ExploredRun, _ shape: SessionShape) {
    sources = (0..<shape.sources).map { SourcePlan(run, shape, name: "abc".map(String.init)[$0]) }
    consumers = (0..<shape.consumers).map { ConsumerPlan(run, shape, number: $0 + 1) }
  }
}

extension SourcePlan {
  @MainActor package init(_ run: ExploredRun, _ shape: SessionShape, name: String) {
    let count = run.choose(Array(0...shape.mostElements), named: "elements of \(name)")
    self.init(
      name: name,
      delays: (0..<count).map {
        run.choose(shape.delays, named: "delay of \(name)\($0 + 1)")
      }
    )
    kind = run.choose(shape.kinds, named: "kind of \(name)")
    end = run.choose(shape.ends, named: "end of \(name)")
    if end != .never { endDelay = run.choose(shape.delays, named: "delay of the end of \(name)") }
    if kind == .pulled {
      throwsIfCancelled = run.choose([false, true], named: "\(name) throws if cancelled")
    }
  }
}

extension ConsumerPlan {
  @MainActor package init(_ run: ExploredRun, _ shape: SessionShape, number: Int) {
    self.init()
    pauses = (1...3).map {
      run.choose(shape.pauses, named: "pause \($0) of consumer \(number)")
    }
    takes = run.choose(shape.takes, named: "elements that consumer \(number) takes")
    keepsSequence = run.choose([true, false], named: "consumer \(number) keeps the sequence")
    cancelSecond = run.choose(shape.cancelSeconds, named: "cancellation of consumer \(number)")
  }
}
