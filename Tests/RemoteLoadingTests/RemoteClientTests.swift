import HTTPTypes
import RemoteLoading
import Staging
import Synchronization
import Testing

@Suite struct RemoteClientTests {
  @Test func `a success response is returned`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, _ in .json("[1]") }
      let response = try? await RemoteClient(transport).fetch(get("http://a.test/x"))
      #expect(response?.body == Array("[1]".utf8))
      #expect(stage.now.elapsed == .milliseconds(100))
    }
  }

  @Test(arguments: [199, 300, 302, 304, 404, 500, 599])
  func `a status outside of success is a failure`(status: Int) {
    #expect(failure { _, _ in .status(status) } == .status(status))
  }

  @Test(arguments: [204, 205])
  func `a response without content has no body`(status: Int) {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, _ in
        .init(status: status, body: Array("stray".utf8))
      }
      let response = try? await RemoteClient(transport).fetch(get("http://a.test/"))
      #expect(response?.head.status.code == status)
      #expect(response?.body == [])
    }
  }

  @Test func `partial content is a success`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, _ in
        .init(status: 206, body: Array("part".utf8))
      }
      let response = try? await RemoteClient(transport).fetch(get("http://a.test/"))
      #expect(response?.body == Array("part".utf8))
    }
  }

  @Test func `HEAD has no body, whatever length is announced`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, _ in
        .init(fields: [.contentEncoding: "gzip"], body: Array("stray".utf8))
      }
      let response = try? await RemoteClient(transport).fetch(get("http://a.test/", .head))
      #expect(response?.body == [])
      #expect(response?.head.headerFields[.contentEncoding] == "gzip")
    }
  }

  // MARK: Redirects

  @Test(arguments: [
    (301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "PUT", "x"), (308, "PUT", "x"),
  ])
  func `each redirect follows its own rule`(status: Int, method: String, body: String) {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, count in
        count == 1 ? .redirect(status, to: "../c?d=e#f") : .json("1")
      }
      var request = get("http://a.test/a/b", .put)
      request.body = Array("x".utf8)
      request.head.headerFields[.contentType] = "text/plain"
      _ = try? await RemoteClient(transport).fetch(request)
      let last = transport.requests.last
      #expect(last?.url == "http://a.test/c?d=e")
      #expect(last?.head.method.rawValue == method)
      #expect(last?.body == Array(body.utf8))
      #expect((last?.head.headerFields[.contentType] == nil) == (status < 307))
    }
  }

  @Test func `HEAD stays HEAD`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, count in
        count == 1 ? .redirect(303, to: "/b") : .status(200)
      }
      _ = try? await RemoteClient(transport).fetch(get("http://a.test/a", .head))
      #expect(transport.requests.map(\.head.method) == [.head, .head])
    }
  }

  @Test(arguments: [
    ("/b", true), ("http://A.test:80/b", true), ("http://b.test/", false),
    ("http://a.test:8080/", false), ("https://a.test/", false), ("//b.test/", false),
  ])
  func `secrets are not sent to another origin`(place: String, kept: Bool) {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, count in
        count == 1 ? .redirect(307, to: place) : .status(200)
      }
      var request = get("http://a.test/a")
      request.head.headerFields = [.authorization: "secret", .cookie: "a=b", .accept: "*/*"]
      _ = try? await RemoteClient(transport).fetch(request)
      let fields = transport.requests.last?.head.headerFields ?? [:]
      #expect((fields[.authorization] != nil) == kept)
      #expect((fields[.cookie] != nil) == kept)
      #expect(fields[.accept] == "*/*")
    }
  }

  @Test func `a loop ends at the limit, and its places are listed once`() {
    let error = failure { request, _ in
      .redirect(to: request.head.path == "/a" ? "/b" : "/a")
    }
    let places = ["/a", "/b", "/a"]
    #expect(error == .transport(.tooManyRedirects(places)))
  }

  @Test func `twenty redirects are followed, and no more`() {
    onStage { stage in
      for limit in [20, 21] {
        let transport = ScriptedTransport(on: stage) { _, count in
          count > limit ? .json("1") : .redirect(to: "/\(count)")
        }
        let result = await outcome {
          try await RemoteClient(transport).fetch(get("http://a.test/"))
        }
        let places = ["/"] + (1...21).map { "/\($0)" }
        #expect((result == nil) == (limit == 20))
        if limit == 21 { #expect(result == .transport(.tooManyRedirects(places))) }
      }
    }
  }

  @Test func `a server that stops redirecting is no loop`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, count in
        count < 3 ? .redirect(to: "/a") : .json("1")
      }
      let result = await outcome { try await RemoteClient(transport).fetch(get("http://a.test/a")) }
      #expect(result == nil)
    }
  }

  @Test func `a request without a host follows paths, and hosts after the first one`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, count in
        switch count {
        case 1: .redirect(to: "c?d")
        case 2: .redirect(to: "https://b.test/e")
        default: .json("1")
        }
      }
      let request = RemoteRequest(
        HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/a/b")
      )
      let result = await outcome { try await RemoteClient(transport).fetch(request) }
      #expect(result == nil)
      #expect(transport.requests.map(\.url) == ["/a/b", "/a/c?d", "https://b.test/e"])
      #expect(transport.requests.map(\.head.authority) == [nil, nil, "b.test"])
    }
  }

  @Test func `no redirect leads from https to http`() {
    #expect(
      failure(of: "https://a.test/a") { _, _ in .redirect(to: "http://a.test/") }
        == .transport(.insecure)
    )
  }

  @Test(arguments: ["ftp://a.test/", "data:text/plain,x", "http://", "http://a b/", "javascript:1"])
  func `a redirect to an unsupported URL is rejected`(place: String) {
    #expect(failure { _, _ in .redirect(to: place) } == .transport(.unsupportedURL))
  }

  // MARK: Errors

  @Test func `an error of the transport keeps its kind`() {
    #expect(failure { _, _ in .failing(TransportError.reset) } == .transport(.reset))
  }

  @Test func `a URLError code becomes a TransportError`() {
    #expect(failure { _, _ in .failing(PlatformError(code: -1004)) } == .transport(.refused))
    #expect(
      failure { _, _ in .failing(PlatformError(code: -4711)) }
        == .transport(.other("PlatformError(code: -4711)"))
    )
  }

  @Test func `a cancelled request is a cancellation, whatever reports it`() {
    let errors: [any Error] = [
      CancellationError(), TransportError.cancelled, PlatformError(code: -999),
    ]
    for error in errors {
      onStage { stage in
        let transport = ScriptedTransport(on: stage) { _, _ in .failing(error) }
        await #expect(throws: CancellationError.self) {
          try await RemoteClient(transport).fetch(get("http://a.test/"))
        }
      }
    }
  }

  @Test func `a cancelled task ends its request at that instant`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, _ in .json("1") }
      let task = Task { try await RemoteClient(transport).fetch(get("http://a.test/")) }
      stage.schedule(at: StageInstant(elapsed: .milliseconds(40))) { task.cancel() }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(transport.cancelled == [40])
    }
  }

  // MARK: Progress

  @Test func `progress excludes redirects`() {
    onStage { stage in
      let transport = ScriptedTransport(on: stage) { _, count in
        count == 1
          ? .redirect(to: "/b")
          : .init(body: Array("12345678".utf8), pieces: 4, gap: .milliseconds(10))
      }
      var fractions: [Double?] = []
      _ = try? await RemoteClient(transport).fetch(get("http://a.test/a")) {
        fractions.append($0.fraction)
      }
      #expect(fractions == [0, 0.25, 0.5, 0.75, 1])
    }
  }
}

struct PlatformError: Error {
  let code: Int
  var _domain: String { "NSURLErrorDomain" }
  var _code: Int { code }
}

func get(_ url: String, _ method: HTTPRequest.Method = .get) -> RemoteRequest {
  do {
    return try RemoteRequest(method, url: url)
  } catch {
    fatalError("\(url): \(error)")
  }
}

/// Returns the error that a fetch threw, or nil.
@MainActor
func outcome(_ fetch: () async throws -> RemoteResponse) async -> RemoteError? {
  do {
    _ = try await fetch()
    return nil
  } catch {
    return error as? RemoteError ?? .transport(.other("\(error)"))
  }
}

private func failure(
  of url: String = "http://a.test/a",
  _ answer: @escaping @Sendable (RemoteRequest, Int) -> ScriptedTransport.Answer
) -> RemoteError? {
  let result = Mutex<RemoteError?>(nil)
  onStage { stage in
    let transport = ScriptedTransport(on: stage, answer)
    let error = await outcome { try await RemoteClient(transport).fetch(get(url)) }
    result.withLock { $0 = error }
  }
  return result.withLock { $0 }
}
