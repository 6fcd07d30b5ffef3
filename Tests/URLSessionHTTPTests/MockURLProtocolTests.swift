#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import MockHTTP
import Staging
import Testing
import URLSessionHTTP

@Suite struct MockURLProtocolTests {
  private let scene = Scene()

  private func session() -> URLSession {
    URLSession(configuration: .rehearsing(scene.server, on: scene.stage))
  }

  @Test func `an answer arrives at its virtual instant, on the stage`() throws {
    scene.answer("/a", 200, "hello", after: .seconds(59))
    let session = session()
    try scene.stage.run { [scene] in
      scene.note(await session.text("/a"))
      scene.note("\(scene.stage.isCurrent)")
    }
    #expect(scene.log.lines == ["59s 200 hello", "59s true"])
    #expect(scene.fates == ["GET /a answered at 59s"])
  }

  @Test func `answers of several sessions arrive in the order of their instants`() throws {
    scene.answer("/slow", 200, "slow", after: .seconds(3))
    scene.answer("/fast", 200, "fast", after: .seconds(1))
    let sessions = [session(), session(), session()]
    try scene.stage.run { [scene] in
      await withTaskGroup(of: Void.self) { group in
        for (index, session) in sessions.enumerated() {
          group.addTask { scene.note("\(index) \(await session.text("/slow"))") }
          group.addTask { scene.note("\(index) \(await session.text("/fast"))") }
        }
      }
    }
    #expect(
      scene.log.lines == [
        "1s 0 200 fast", "1s 1 200 fast", "1s 2 200 fast", "3s 0 200 slow", "3s 1 200 slow",
        "3s 2 200 slow",
      ]
    )
  }

  @Test func `a run is the same a hundred times on a busy machine`() async throws {
    let isBusy = Flag(true)
    let busy = (0..<4).map { _ in Task.detached { while isBusy.value { await Task.yield() } } }
    let runs = try await Task.detached { try (0..<100).map { _ in try Self.mixedRun() } }.value
    isBusy.value = false
    for task in busy { await task.value }
    #expect(Set(runs).count == 1)
    #expect(runs.first?.contains("1.5s 2 cancelled") == true)
  }

  /// Runs requests, delays, faults, a timeout and a cancellation on two sessions.
  private static func mixedRun() throws -> [String] {
    let scene = Scene()
    scene.answer("/a", 200, "a", after: .seconds(1), pace: .drip(pieces: 3, over: .seconds(1)))
    scene.answer("/b", 404, "b", after: .seconds(2))
    scene.fail("/c", .reset, after: .seconds(2))
    scene.fail("/never", .never)
    let sessions = (0..<2).map { _ in
      URLSession(configuration: .rehearsing(scene.server, on: scene.stage))
    }
    try scene.stage.run {
      await withTaskGroup(of: Void.self) { group in
        for (index, path) in ["/a", "/b", "/a", "/c", "/never", "/a"].enumerated() {
          group.addTask {
            let task = Task { scene.note("\(index) \(await sessions[index % 2].text(path))") }
            guard index % 3 == 2 else { return }
            try? await Task.sleep(for: .milliseconds(1500))
            task.cancel()
            scene.note("\(index) is to stop")
          }
        }
      }
    }
    return scene.log.lines + scene.fates
  }

  // MARK: Faults

  @Test(arguments: [
    (Fault.refused, "refused"), (.reset, "reset"), (.empty, "empty"), (.garbage, "malformed"),
    (.tls, "insecure"), (.never, "timedOut"),
  ])
  func `a fault is the error of the same name`(fault: Fault, expected: String) throws {
    scene.fail("/a", fault, after: .seconds(2))
    let session = session()
    try scene.stage.run { [scene] in scene.note(await session.text("/a")) }
    #expect(scene.log.lines == ["\(fault == .never ? 60 : 2)s \(expected)"])
  }

  @Test(arguments: [
    (ScriptedResponse.Ending.closed(afterBytes: 2), "1s truncated"),
    (.reset(afterBytes: 2), "1s reset"), (.silent(afterBytes: 2), "61s timedOut"),
    (.claiming(bytes: 99), "2s truncated"), (.claiming(bytes: 2), "2s 200 he"),
  ])
  func `a body with another length than announced`(
    ending: ScriptedResponse.Ending,
    expected: String
  ) throws {
    scene.answer(
      "/a",
      200,
      "hello!",
      ending: ending,
      pace: .drip(pieces: 2, over: .seconds(2))
    )
    let session = session()
    try scene.stage.run { [scene] in scene.note(await session.text("/a")) }
    #expect(scene.log.lines == [expected])
  }

  @Test func `a request that no route answers fails at once`() throws {
    let session = session()
    try scene.stage.run { [scene] in scene.note(await session.text("/nowhere")) }
    #expect(scene.log.lines.first?.hasPrefix("0s unmatched") == true)
    #expect(scene.fates.first?.hasPrefix("GET /nowhere unmatched") == true)
  }

  @Test func `a request's own timeout counts from the last piece`() throws {
    scene.answer("/a", 200, "0123456789", pace: .drip(pieces: 10, over: .seconds(10)))
    scene.fail("/never", .never)
    let session = session()
    var patient = URLRequest(url: try url("/a"))
    patient.timeoutInterval = 2
    var hasty = URLRequest(url: try url("/never"))
    hasty.timeoutInterval = 2
    try scene.stage.run { [scene, patient, hasty] in
      let length = try? await session.data(for: patient).0.count
      scene.note("\(length ?? -1)")
      do { _ = try await session.data(for: hasty) } catch { scene.note(word(error)) }
    }
    #expect(scene.log.lines == ["10s 10", "12s timedOut"])
  }

  // MARK: Bodies, heads, redirects

  @Test func `bodies, fields and statuses arrive as they were sent`() throws {
    scene.answer("/a", 201, "", headers: [.init(name: "X-Name", value: "value")])
    scene.answer("/big", 200, String(repeating: "x", count: 1_000_000))
    let session = session()
    let address = try url("/a")
    try scene.stage.run { [scene] in
      let answer = try? await session.data(from: address)
      let response = answer?.1 as? HTTPURLResponse
      let field = response?.value(forHTTPHeaderField: "x-name") ?? ""
      scene.note("\(response?.statusCode ?? 0) \(field) \(answer?.0.count ?? -1)")
      scene.note("\(await session.text("/big").utf8.count)")
    }
    #expect(scene.log.lines == ["0s 201 value 0", "0s 1000004"])
  }

  @Test func `an upload's body reaches the server`() throws {
    let template = PathTemplate(segments: [.literal("in")])
    let pattern = RequestPattern(method: .post, path: template, body: .contains("hidden"))
    server(pattern, ScriptedResponse(status: 204))
    var request = URLRequest(url: try url("/in"))
    request.httpMethod = "POST"
    let session = session()
    try scene.stage.run { [scene, request] in
      let answer = try? await session.upload(for: request, from: Data("a hidden word".utf8))
      scene.note("\((answer?.1 as? HTTPURLResponse)?.statusCode ?? 0)")
    }
    #expect(scene.log.lines == ["0s 204"])
  }

  private func server(_ pattern: RequestPattern, _ response: ScriptedResponse) {
    scene.server.add(Route(pattern, answers: [ScriptedAnswer(.response(response))]))
  }

  @Test func `redirects are followed, and a loop of them ends`() throws {
    let there = ScriptedResponse.Header(name: "Location", value: "/there")
    scene.answer("/here", 302, "", headers: [there], after: .seconds(1))
    scene.answer("/there", 200, "arrived", after: .seconds(1))
    let loop = ScriptedResponse.Header(name: "Location", value: "/loop")
    scene.answer("/loop", 307, "", headers: [loop])
    let session = session()
    try scene.stage.run { [scene] in
      scene.note(await session.text("/here"))
      scene.note(String(await session.text("/loop").prefix(16)))
    }
    #expect(scene.log.lines == ["2s 200 arrived", "2s tooManyRedirects"])
    #expect(scene.fates.count == 2 + 17)
  }

  @Test func `a 401 ends, although Foundation would wait for credentials`() throws {
    let challenge = ScriptedResponse.Header(name: "WWW-Authenticate", value: "Basic realm=\"x\"")
    scene.answer("/a", 401, "who?", headers: [challenge])
    let session = session()
    try scene.stage.run { [scene] in scene.note(await session.text("/a")) }
    #expect(scene.log.lines == ["0s 401 who?"])
  }

  @Test func `a download task fails and says why`() throws {
    scene.answer("/a", 200, "file")
    let session = session()
    let address = try url("/a")
    try scene.stage.run { [scene] in
      do { _ = try await session.download(from: address) } catch { scene.note(word(error)) }
    }
    #expect(scene.log.lines == ["0s unsupportedURL"])
  }

  @Test func `a session without references is released, with its sockets`() throws {
    scene.answer("/a", 200, "hello", after: .seconds(1))
    scene.fail("/reset", .reset)
    weak var session: URLSession?
    do {
      let strong = URLSession.rehearsing(scene.server, on: scene.stage)
      session = strong
      try scene.stage.run { [scene] in
        scene.note(await strong.text("/a"))
        scene.note(await strong.text("/reset"))
        let task = Task { scene.note(await strong.text("/a")) }
        await Task.yield()
        task.cancel()
      }
    }
    #expect(scene.log.lines == ["1s 200 hello", "1s reset", "1s cancelled"])
    #expect(session == nil)
  }

  // MARK: Holding and suspending

  @Test func `a held answer arrives after its release`() {
    scene.answer("/a", 200, "late", after: .seconds(1))
    scene.server.hold(RequestPattern(path: PathTemplate(segments: [.literal("a")])))
    let session = session()
    scene.stage.enter {
      _ = Task { [scene] in scene.note(await session.text("/a")) }
    }
    scene.stage.advance(by: .seconds(10))
    #expect(scene.log.lines == [])
    scene.stage.enter { _ = scene.server.release() }
    scene.stage.settle()
    #expect(scene.log.lines == ["11s 200 late"])
  }

  @Test func `a suspended task gets its answer when it is resumed`() throws {
    scene.answer("/a", 200, "late", after: .seconds(1))
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let address = try url("/a")
    try scene.stage.run { [scene] in
      let task = session.dataTask(with: address) { data, _, _ in
        scene.note(String(decoding: data ?? Data(), as: UTF8.self))
      }
      task.resume()
      task.suspend()
      try? await Task.sleep(for: .seconds(5))
      scene.note("resumed")
      task.resume()
    }
    #expect(scene.log.lines == ["5s resumed", "5s late"])
  }
}

/// A flag that several threads read.
final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var isOn: Bool  // Guarded by `lock`.

  init(_ isOn: Bool) { self.isOn = isOn }

  var value: Bool {
    get { lock.withLock { isOn } }
    set { lock.withLock { isOn = newValue } }
  }
}
#endif
