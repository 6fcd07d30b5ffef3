import HTTPTypes
import Loading
import Observation
import RemoteLoading
import Staging
import Testing

/// The tables of RemoteContentView, of its repository and of the article about it.
@MainActor
@Suite struct RemoteContentTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let head: [String]
    let article: [String]
    let script: @MainActor @Sendable (ContentProbe) -> Void

    nonisolated init(
      _ name: String,
      _ head: [String],
      article: [String]? = nil,
      script: @escaping @MainActor @Sendable (ContentProbe) -> Void
    ) {
      self.name = name
      self.head = head
      self.article = article ?? head
      self.script = script
    }

    var testDescription: String { name }
  }

  @Test(arguments: rows) func `each row of both tables is reproduced`(row: Row) {
    #expect(history(of: row, under: .remoteContent) == row.head)
    #expect(history(of: row, under: .remoteContentArticle) == row.article)
  }

  private func history(of row: Row, under policy: LoadingPolicy) -> [String] {
    let stage = Stage()
    return stage.enter {
      let probe = ContentProbe(on: stage, policy: policy)
      row.script(probe)
      #expect(stage.settle() == .idle)
      return probe.history + probe.transport.cancelled.map { "\($0) request cancelled" }
    }
  }

  nonisolated static let rows: [Row] = [
    Row(
      "initial, load, response decodes",
      ["0 inProgress(nil)", "100 inProgress(0.0)", "100 inProgress(1.0)", "100 success([1])"]
    ) { it in
      it.content.load()
    },
    Row(
      "in progress, load",
      ["0 inProgress(nil)", "100 inProgress(0.0)", "100 inProgress(1.0)", "100 success([1])"],
      article: [
        "0 inProgress(nil)", "50 inProgress(nil)", "150 inProgress(0.0)", "150 inProgress(1.0)",
        "150 success([2])", "50 request cancelled",
      ]
    ) { it in
      it.content.load()
      it.at(50) { it.content.load() }
    },
    Row(
      "success, load",
      [
        "0 inProgress(nil)", "100 inProgress(0.0)", "100 inProgress(1.0)", "100 success([1])",
        "200 inProgress(nil)", "300 inProgress(0.0)", "300 inProgress(1.0)", "300 success([2])",
      ]
    ) { it in
      it.content.load()
      it.at(200) { it.content.load() }
    },
    Row(
      "failure, load",
      [
        "0 inProgress(nil)", "100 failure(transport refused)", "200 inProgress(nil)",
        "300 inProgress(0.0)", "300 inProgress(1.0)", "300 success([2])",
      ]
    ) { it in
      it.answers = [.failing(TransportError.refused)]
      it.content.load()
      it.at(200) { it.content.load() }
    },
    Row(
      "in progress, transport error",
      ["0 inProgress(nil)", "100 failure(transport reset)"]
    ) { it in
      it.answers = [.failing(TransportError.reset)]
      it.content.load()
    },
    Row(
      "in progress, decode error",
      [
        "0 inProgress(nil)", "100 inProgress(0.0)", "100 inProgress(1.0)",
        "100 failure(decoding [0]: expected Int, found a String)",
      ]
    ) { it in
      it.answers = [.json(#"["x"]"#)]
      it.content.load()
    },
    Row(
      "in progress, cancel",
      ["0 inProgress(nil)", "50 initial", "50 request cancelled"]
    ) { it in
      it.content.load()
      it.at(50) { it.content.cancel() }
    },
    Row(
      "success, cancel",
      ["0 inProgress(nil)", "100 inProgress(0.0)", "100 inProgress(1.0)", "100 success([1])"],
      article: [
        "0 inProgress(nil)", "100 inProgress(0.0)", "100 inProgress(1.0)", "100 success([1])",
        "200 initial",
      ]
    ) { it in
      it.content.load()
      it.at(200) { it.content.cancel() }
    },
    Row(
      "failure, cancel",
      ["0 inProgress(nil)", "100 failure(transport reset)"],
      article: ["0 inProgress(nil)", "100 failure(transport reset)", "200 initial"]
    ) { it in
      it.answers = [.failing(TransportError.reset)]
      it.content.load()
      it.at(200) { it.content.cancel() }
    },
    Row("initial, cancel", [], article: ["0 initial"]) { it in
      it.content.cancel()
    },
  ]

  // MARK: Progress

  @Test func `progress is a fraction`() {
    let history = run { it in
      it.answers = [
        .init(delay: .seconds(1), body: Array("[1, 2]  ".utf8), pieces: 4, gap: .seconds(1))
      ]
      it.content.load()
    }
    #expect(
      history == [
        "0 inProgress(nil)", "1000 inProgress(0.0)", "2000 inProgress(0.25)",
        "3000 inProgress(0.5)", "4000 inProgress(0.75)", "5000 inProgress(1.0)",
        "5000 success([1, 2])",
      ]
    )
  }

  @Test func `progress is unknown if no length is announced`() {
    let history = run { it in
      it.answers = [.init(body: Array("[1]".utf8), pieces: 3, gap: .seconds(1), saysLength: false)]
      it.content.load()
    }
    #expect(history == ["0 inProgress(nil)", "3100 success([1])"])
  }

  @Test func `progress of a cancelled request is ignored`() {
    let history = run { it in
      it.answers = [.init(body: Array("[1]   ".utf8), pieces: 2, gap: .seconds(1))]
      it.content.load()
      it.at(500) { it.content.cancel() }
    }
    #expect(history == ["0 inProgress(nil)", "100 inProgress(0.0)", "500 initial"])
  }

  // MARK: Failures

  @Test func `four failures are distinct`() {
    let answers: [ScriptedTransport.Answer] = [
      .failing(TransportError.refused), .status(404), .json("{}"), .json("<html>"),
    ]
    let names = answers.map { answer in
      let stage = Stage()
      return stage.enter {
        let transport = ScriptedTransport(on: stage) { _, _ in answer }
        let image = RemoteImage(RemoteClient(transport), get("http://a.test/i.png"))
        image.load()
        stage.settle()
        return (image.loadingState.error as? RemoteError)?.description
      }
    }
    #expect(names == ["transport refused", "http 404", "image found JSON", "image found HTML"])
  }

  @Test func `the bytes determine the kind of image`() throws {
    let stage = Stage()
    stage.enter {
      let transport = ScriptedTransport(on: stage) { _, _ in .init(body: ImageSignatureTests.png) }
      let image = RemoteImage(RemoteClient(transport), get("http://a.test/i"))
      image.load()
      stage.settle()
      #expect(image.loadingState.value?.signature.format == .png)
    }
  }

  // MARK: Observers

  @Test func `type-erased content behaves the same`() {
    let erased = run { it in
      let any = AnyRemoteContent(it.content)
      any.load()
      it.at(50) { any.cancel() }
      it.at(60) { any.load() }
      it.at(200) { #expect(any.loadingState.value == [2]) }
    }
    let plain = run { it in
      it.content.load()
      it.at(50) { it.content.cancel() }
      it.at(60) { it.content.load() }
    }
    #expect(erased == plain)
  }

  @Test func `a view that observes the state gets its change`() {
    let stage = Stage()
    stage.enter {
      let probe = ContentProbe(on: stage, policy: .remoteContent)
      let any = AnyRemoteContent(probe.content)
      let told = Counter()
      withObservationTracking {
        _ = any.loadingState
      } onChange: {
        told.count += 1
      }
      #expect(told.count == 0)
      probe.content.load()
      #expect(told.count == 1)
      stage.settle()
    }
  }

  @Test func `the states are available as a sequence`() {
    onStage { stage in
      let probe = ContentProbe(on: stage, policy: .remoteContent)
      let states = probe.content.changes.states()
      probe.content.load()
      var words: [String] = []
      for await state in states {
        words.append(state.debugDescription)
        if !state.isInProgress { break }
      }
      #expect(words == ["inProgress(nil)", "inProgress(0.0)", "inProgress(1.0)", "success([1])"])
    }
  }

  @Test func `a cancelled observer gets no more states`() {
    let stage = Stage()
    stage.enter {
      let probe = ContentProbe(on: stage, policy: .remoteContent)
      let told = Counter()
      var observation: RemoteContentObservation? = probe.content.changes.observe { _ in
        told.count += 1
      }
      probe.content.load()
      #expect(told.count == 1)
      observation?.cancel()
      observation = nil
      stage.settle()
      #expect(told.count == 1)
    }
  }

  @Test func `released content leaves no work`() {
    let stage = Stage()
    stage.enter {
      let transport = ScriptedTransport(on: stage) { _, _ in .json("[1]") }
      weak var content: DecodableRemoteContent<[Int]>?
      do {
        let made = DecodableRemoteContent(
          RemoteClient(transport),
          get("http://a.test/"),
          type: [Int].self
        )
        made.load()
        content = made
      }
      #expect(content == nil)
      #expect(stage.settle() == .idle)
    }
  }

  @Test func `an unsupported URL is rejected at creation`() {
    let client = RemoteClient(ScriptedTransport(on: Stage()) { _, _ in .status(200) })
    #expect(throws: TransportError.unsupportedURL) {
      try DecodableRemoteContent(client, url: "ftp://a.test/", type: Int.self)
    }
    #expect(throws: TransportError.unsupportedURL) { try RemoteImage(client, url: "") }
  }

  private func run(_ script: (ContentProbe) -> Void) -> [String] {
    let stage = Stage()
    return stage.enter {
      let probe = ContentProbe(on: stage, policy: .remoteContent)
      script(probe)
      #expect(stage.settle() == .idle)
      return probe.history
    }
  }
}

private final class Counter: @unchecked Sendable {
  // On the stage's thread only.
  var count = 0
}
