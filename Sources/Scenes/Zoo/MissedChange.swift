import Exploring
import Observation

extension Specimen {
  static let missedChange = Specimen(
    name: "change missed between loading and subscribing",
    symptom: "A message is on every other device, and here only after the chat is opened again.",
    bug: MissedChange.scenario(MissedChange.Hasty.init),
    twin: MissedChange.scenario(MissedChange.Careful.init)
  )
}

/// A chat loads the messages and then subscribes to new ones. It misses messages in between.
enum MissedChange {
  @MainActor protocol Service: Sendable {
    func load() async throws -> [String]
    func listen() -> AsyncStream<String>
  }

  @MainActor @Observable final class Hasty: Chat {
    private(set) var messages: [String] = []
    private let service: any Service

    init(service: any Service) { self.service = service }

    func open() async throws {
      messages = try await service.load()
      for await message in service.listen() { messages.append(message) }
    }
  }

  @MainActor @Observable final class Careful: Chat {
    private(set) var messages: [String] = []
    private let service: any Service

    init(service: any Service) { self.service = service }

    func open() async throws {
      let news = service.listen()
      messages = try await service.load()
      for await message in news where !messages.contains(message) { messages.append(message) }
    }
  }

  @MainActor protocol Chat: Sendable {
    var messages: [String] { get }
    func open() async throws
  }

  /// The messages of all users, and the subscribers.
  @MainActor private final class Server: Service {
    private(set) var messages = ["Hello"]
    private var listeners: [AsyncStream<String>.Continuation] = []
    private let run: ExploredRun

    init(_ run: ExploredRun) { self.run = run }

    func load() async throws -> [String] {
      let messages = messages
      try await run.take(.seconds(1), .seconds(3))
      return messages
    }

    func listen() -> AsyncStream<String> {
      let (news, listener) = AsyncStream.makeStream(of: String.self)
      listeners.append(listener)
      return news
    }

    func send(_ message: String) {
      messages.append(message)
      for listener in listeners { listener.yield(message) }
    }
  }

  static func scenario(
    _ makeChat: @escaping @MainActor (any Service) -> some Chat
  ) -> Specimen.Scenario {
    { run in
      let server = Server(run)
      let chat = makeChat(server)
      let opened = Task { try await chat.open() }
      for message in ["Is anybody there?", "Goodbye"] {
        try await Task.sleep(for: .seconds(2))
        server.send(message)
      }
      await run.settle()
      run.check(
        chat.messages == server.messages,
        "every message is shown once",
        "\(chat.messages)"
      )
      opened.cancel()
    }
  }
}
