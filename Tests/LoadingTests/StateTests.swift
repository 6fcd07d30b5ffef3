import Loading
import Testing

@Suite struct StateTests {
  private typealias Numbers = LoadableState<Int>

  @Test func `a loadable state reports its case`() {
    var state = Numbers.absent
    #expect(state.isAbsent && state.data == nil && state.error == nil)
    state.setLoading()
    #expect(state.isLoading && !state.isAbsent)
    state.setError(Boom())
    #expect(state.isError && state.error is Boom)
    state.setValue(3)
    #expect(state.isLoaded && state.data == 3)
    state.setAbsent()
    #expect(state == .absent)
  }

  @Test func `map transforms the value and passes everything else through`() throws {
    #expect(Numbers.loaded(2).map { "\($0)" } == .loaded("2"))
    #expect(Numbers.absent.map { "\($0)" } == .absent)
    #expect(Numbers.loading.map { "\($0)" } == .loading)
    #expect(Numbers.error(Boom()).map { "\($0)" } == .error(Boom()))
    #expect(throws: Boom.self) {
      try Numbers.loaded(2).map { _ throws -> Int in throw Boom() }
    }
  }

  @Test func `compactMap turns nil into absent`() {
    let even: (Int) -> Int? = { $0.isMultiple(of: 2) ? $0 : nil }
    #expect(Numbers.loaded(2).compactMap(even) == .loaded(2))
    #expect(Numbers.loaded(3).compactMap(even) == .absent)
    #expect(Numbers.loading.compactMap(even) == .loading)
    #expect(Numbers.error(Boom()).compactMap(even) == .error(Boom()))
  }

  @Test func `zip gives the error, or loading, or absent, or all values`() {
    let word = LoadableState<String>.loaded("a")
    #expect(zip(Numbers.loaded(1), word).data.map { "\($0)" } == #"(1, "a")"#)
    #expect(zip(Numbers.error(Boom()), LoadableState<String>.loading).isError)
    #expect(zip(LoadableState<String>.loading, Numbers.error(Boom())).isError)
    #expect(zip(Numbers.absent, LoadableState<String>.loading).isLoading)
    #expect(zip(Numbers.absent, word).isAbsent)
    #expect(zip(Numbers.loaded(1), Numbers.loaded(2), word).isLoaded)
  }

  @Test func `a process state's guarded transitions need a running process`() {
    var state = ProcessState<String>.idle
    state.finish()
    state.fail(with: Boom())
    #expect(state == .idle)
    state.start("save")
    #expect(state.isRunning("save") && !state.isRunning("delete") && state.process == "save")
    state.finish()
    #expect(state.hasFinished && state.hasFinished("save"))
    state.fail(with: Boom())
    #expect(state == .finished("save"))
    state.setRunning("delete")
    state.fail(with: Boom())
    #expect(state.hasFailed("delete") && state.error is Boom)
    state.reset()
    #expect(state.isIdle && state.process == nil)
  }

  @Test func `single processes differ but print the same`() {
    var state = SingleProcessState.idle
    state.start()
    let first = state
    state.setRunning()
    #expect(state != first)
    #expect("\(state) \(first)" == "running(process) running(process)")
    state.setFinished()
    #expect("\(state)" == "finished(process)")
    state.setFailed(with: Boom())
    #expect("\(state)" == "failed(process, Boom)")
    #expect(SingleProcess(run: 2) == SingleProcess(run: 2))
    #expect("\(SingleProcess(run: 2)) \(SingleProcess(id: "a"))" == "#2 a")
  }

  @Test func `states print their cases and values`() {
    let loadables: [Numbers] = [.absent, .loading, .error(Boom()), .loaded(1)]
    #expect(loadables.map(\.debugDescription) == ["absent", "loading", "error(Boom)", "loaded(1)"])
    let processes: [ProcessState<String>] = [
      .idle, .running("a"), .failed(process: "a", error: Boom()), .finished("a"),
    ]
    #expect(
      processes.map(\.debugDescription) == ["idle", "running(a)", "failed(a, Boom)", "finished(a)"]
    )
  }
}
