import Exploring
@preconcurrency import OpenCombine
import Sessions
import Testing

/// Publishers with two subscribers, which come, request and cancel at any second.
@Suite struct SeveralSubscribersTests {
  enum Kind: String, CaseIterable, Sendable {
    case passthrough = "PassthroughSubject"
    case currentValue = "CurrentValueSubject"
    case published = "@Published"
    case share
    case connectable = "makeConnectable"
    case future = "Future"

    /// Whether a new subscriber gets the current value.
    var hasCurrent: Bool { self == .currentValue || self == .published }
  }

  final class Model {
    @Published var value = "v0"
  }

  /// A publisher with the actions of its owner.
  struct Target {
    var publisher: AnyPublisher<String, SourceError>
    var send: (String) -> Void
    var finish: (Subscribers.Completion<SourceError>) -> Void
    var connect: (() -> any Cancellable)?
    /// The open subscriptions to the source of a shared publisher.
    let open = Cell(0)
  }

  static func make(_ kind: Kind) -> Target {
    let subject = PassthroughSubject<String, SourceError>()
    var target = Target(
      publisher: subject.eraseToAnyPublisher(),
      send: { subject.send($0) },
      finish: { subject.send(completion: $0) }
    )
    let source = subject.handleEvents(
      receiveSubscription: { [open = target.open] _ in open.change { $0 += 1 } },
      receiveCompletion: { [open = target.open] _ in open.change { $0 -= 1 } },
      receiveCancel: { [open = target.open] in open.change { $0 -= 1 } }
    )
    switch kind {
    case .passthrough:
      break
    case .currentValue:
      let subject = CurrentValueSubject<String, SourceError>("v0")
      target.publisher = subject.eraseToAnyPublisher()
      target.send = { subject.value = $0 }
      target.finish = { subject.send(completion: $0) }
    case .published:
      let model = Model()
      target.publisher = model.$value.setFailureType(to: SourceError.self).eraseToAnyPublisher()
      target.send = { model.value = $0 }
      target.finish = { _ in }
    case .share:
      target.publisher = source.share().eraseToAnyPublisher()
    case .connectable:
      let shared = source.map { $0 }.replaceError(with: "error").makeConnectable()
      target.publisher = shared.setFailureType(to: SourceError.self).eraseToAnyPublisher()
      target.connect = { shared.connect() }
    case .future:
      var promise: Future<String, SourceError>.Promise?
      let future = Future<String, SourceError> { promise = $0 }
      target.publisher = future.eraseToAnyPublisher()
      target.send = { promise?(.success($0)) }
      target.finish = { if case .failure(let error) = $0 { promise?(.failure(error)) } }
    }
    return target
  }

  /// What has happened, with the rules that did not hold.
  @MainActor final class State {
    let kind: Kind
    let target: Target
    let listeners: [Listener]
    var current = "v0"
    var end: Trace.Event?
    var connection: (any Cancellable)?
    var lines: [String] = []
    var broken: [String] = []

    init(_ kind: Kind, _ listeners: [Listener]) {
      self.kind = kind
      self.listeners = listeners
      target = make(kind)
    }

    /// Whether values and the completion reach the subscribers.
    var isConnected: Bool { kind != .connectable || connection != nil }

    private func note(_ line: String) { lines.append("\(line): \(listeners.map(\.got))") }

    private func expect(_ condition: Bool, _ rule: String) {
      if !condition { broken.append(rule) }
    }

    /// Checks what a subscriber has that asks a future which has ended.
    private func checkFuture(_ listener: Listener) {
      guard kind == .future, let end, listener.subscriptions > 0, !listener.isCancelled else {
        return
      }
      if case .failed = end { return expect(listener.got == [end], "an error is delivered") }
      let expected: [Trace.Event] =
        listener.hasRequested ? [.value(current), .finished] : []
      expect(listener.got == expected, "the value of a future is delivered to each subscriber")
    }

    func subscribe(_ index: Int) {
      let listener = listeners[index]
      target.publisher.subscribe(listener)
      note("subscribe \(index)")
      expect(listener.subscriptions == 1, "the subscriber gets a subscription")
      if kind == .future { return checkFuture(listener) }
      if let end, isConnected {
        expect(listener.got == [end], "a late subscriber gets the completion")
      } else if kind.hasCurrent, listener.hasRequested {
        expect(listener.values.first == current, "a new subscriber gets the current value")
      }
    }

    func request(_ index: Int, _ more: Int) {
      let listener = listeners[index]
      let isMissing = kind.hasCurrent && listener.isActive && !listener.values.contains(current)
      listener.request(.max(more))
      note("request \(index) \(more)")
      checkFuture(listener)
      if isMissing {
        expect(
          listener.values.last == current,
          "a subscriber that requests gets the current value"
        )
      }
    }

    func cancel(_ index: Int) {
      listeners[index].cancel()
      note("cancel \(index)")
      checkSource()
    }

    func send(_ value: String) {
      let isReady = listeners.map(\.isReady)
      let counts = listeners.map(\.values.count)
      if kind == .future {
        if end == nil { (current, end) = (value, .finished) }
        target.send(value)
        note("send \(value)")
        return listeners.forEach(checkFuture)
      }
      if end == nil { current = value }
      target.send(value)
      note("send \(value)")
      for (index, listener) in listeners.enumerated() {
        let isDue = isReady[index] && isConnected && end == nil
        let isDelivered =
          listener.values.count == counts[index] + 1 && listener.values.last == value
        if isDue, !listener.isCancelled {
          expect(isDelivered, "a value is delivered to each subscriber with demand")
        } else if !isDue {
          expect(
            listener.values.count == counts[index],
            "a value is delivered only to subscribers with demand"
          )
        }
      }
      checkSource()
    }

    func finish(_ event: Trace.Event) {
      if kind == .published || (kind == .future && event == .finished) { return }
      if end == nil { end = event }
      target.finish(event == .finished ? .finished : .failure(SourceError(source: "x")))
      note("\(event)")
      if kind == .future { return listeners.forEach(checkFuture) }
      checkEnds()
    }

    /// Connects, or ends the connection.
    func connect(_ connects: Bool) {
      guard kind == .connectable, connects == (connection == nil) else { return }
      if connects {
        connection = target.connect?()
      } else {
        connection?.cancel()
        connection = nil
      }
      note(connects ? "connect" : "disconnect")
      checkEnds()
      checkSource()
    }

    private func checkEnds() {
      guard let end, isConnected else { return }
      for listener in listeners where listener.subscriptions > 0 && !listener.isCancelled {
        expect(listener.end == end, "the completion is delivered to each subscriber")
      }
    }

    private func checkSource() {
      let open = target.open.value
      expect(open <= 1, "one subscription to the source")
      if kind == .share, !listeners.contains(where: \.isActive) {
        expect(open == 0, "the last cancel() ends the subscription to the source")
      }
      if kind == .connectable, connection == nil {
        expect(open == 0, "the end of the connection ends the subscription to the source")
      }
    }
  }

  @MainActor static func session(_ run: ExploredRun, _ kind: Kind) async -> [BrokenRule] {
    let listeners = (0...1).map { index in
      Listener(
        initial: run.choose([.unlimited, .max(1), .none, .max(2)], named: "demand of \(index)"),
        each: run.choose([.none, .max(1)], named: "demand of \(index) for each value")
      )
    }
    let state = State(kind, listeners)
    func at(_ second: Int, _ action: @escaping @MainActor () -> Void) {
      Task { @MainActor in
        try await Task.sleep(for: .seconds(second))
        action()
      }
    }
    for index in 0...1 {
      let listener = listeners[index]
      // OpenCombine keeps subscribers in a set: which one gets a value first differs from run to run. So no subscriber
      // cancels the other one here.
      switch run.choose([0, 0, 1, 2], named: "first value of \(index)") {
      case 1: listener.atFirstValue = { [weak listener] in listener?.cancel() }
      case 2: listener.atFirstValue = { [weak listener] in listener?.request(.max(1)) }
      default: break
      }
      at(run.choose([0, 1, 2, 3], named: "subscription of \(index)")) { state.subscribe(index) }
      for second in 1...3 {
        let more = run.choose([0, 0, 1, 2], named: "demand of \(index) at \(second)")
        if more > 0 { at(second) { state.request(index, more) } }
      }
      at(run.choose([lastSecond, lastSecond, 1, 2, 3], named: "cancel() of \(index)")) {
        state.cancel(index)
      }
    }
    for number in 1...run.choose([1, 2, 3], named: "values") {
      at(run.choose([0, 1, 2, 3, 4], named: "second of v\(number)")) { state.send("v\(number)") }
    }
    let ends: [Trace.Event?] =
      kind == .connectable
      ? [.finished, .finished, nil] : [.finished, .failed("error of x"), nil]
    if let end = run.choose(ends, named: "end") {
      at(run.choose([4, 0, 1, 2, 3], named: "second of the end")) { state.finish(end) }
    }
    if kind == .connectable {
      at(run.choose([0, 1, 2], named: "connection")) { state.connect(true) }
      at(run.choose([lastSecond, 1, 2, 3], named: "end of the connection")) {
        state.connect(false)
      }
    }
    await run.settle()
    let what = state.lines.joined(separator: "; ")
    run.note(what)
    return (state.broken + listeners.flatMap(\.broken)).map { BrokenRule($0, what) }
  }

  @Test(arguments: Kind.allCases)
  func search(kind: Kind) async throws {
    try await Sessions.search("\(kind.rawValue), two subscribers") { run in
      await Self.session(run, kind)
    }
  }
}
