import Foundation
import Loading
import Testing

@Suite struct ErrorTests {
  enum Network: Error {
    case offline
    case status(code: Int, reason: String)
    case wrapped(any Error)
    case pair(Int, String)
  }

  struct Details: Error {
    let codes: Set<Int>
    let fields: [String: Int]
    let note: String?
    let nested: Inner

    struct Inner { let value: Int }
  }

  final class Reference: Error {}

  struct Worded: Error, CustomStringConvertible {
    let description: String
  }

  struct Holding: Error {
    let action: @Sendable () -> Void
    let code: Int
  }

  @Test func `an error prints its type and contents, without module names or addresses`() {
    #expect(describe(Boom()) == "Boom")
    #expect(describe(Network.offline) == "Network.offline")
    #expect(
      describe(Network.status(code: 404, reason: "gone"))
        == #"Network.status(code: 404, reason: "gone")"#
    )
    #expect(describe(Network.pair(1, "a")) == #"Network.pair(1, "a")"#)
    #expect(describe(Network.wrapped(Network.offline)) == "Network.wrapped(offline)")
    #expect(describe(Network.wrapped(Boom())) == "Network.wrapped(Boom)")
    #expect(describe(Reference()) == "Reference")
    #expect(describe(Worded(description: "no route")) == "no route")
    #expect(describe(CancellationError()) == "CancellationError")
    let details = Details(
      codes: [3, 1, 2],
      fields: ["b": 2, "a": 1],
      note: nil,
      nested: .init(value: 5)
    )
    #expect(
      describe(details)
        == #"Details(codes: [1, 2, 3], fields: ["a": 1, "b": 2], note: nil, nested: Inner(value: 5))"#
    )
    #expect(describe(Holding(action: {}, code: 1)).hasPrefix("Holding(action: "))
    #expect(!describe(Holding(action: {}, code: 1)).contains("0x"))
  }

  @Test func `Foundation's errors print their domain and code, or their name`() {
    #expect(describe(URLError(.cancelled)) == "URLError.cancelled")
    #expect(describe(URLError(.timedOut)) == "URLError.timedOut")
    #expect(describe(NSError(domain: "Shop", code: 7)) == "Shop 7")
    #expect(describe(CocoaError(.fileNoSuchFile)) == "NSCocoaErrorDomain 4")
  }

  @Test func `a cancelled request is a cancellation`() {
    #expect(isCancellation(CancellationError()))
    #expect(isCancellation(URLError(.cancelled)))
    #expect(!isCancellation(URLError(.timedOut)))
    #expect(!isCancellation(Boom()))
  }

  @Test func `two different errors are never equal`() {
    let errors: [any Error] = [
      Boom(), Network.offline, Network.status(code: 404, reason: "gone"),
      Network.status(code: 404, reason: "moved"), Network.status(code: 500, reason: "gone"),
      Network.wrapped(Boom()), Network.wrapped(Network.offline), Reference(), Reference(),
      Worded(description: "a"), Worded(description: "b"), URLError(.cancelled), URLError(.timedOut),
      NSError(domain: "Shop", code: 7), NSError(domain: "Shop", code: 8), CancelLoadable(),
      CancelProcess(), TimeoutError(),
    ]
    for (left, leftError) in errors.enumerated() {
      for (right, rightError) in errors.enumerated() {
        #expect(isSameError(leftError, rightError) == (left == right))
        let states = [leftError, rightError].map { LoadableState<Int>.error($0) }
        #expect((states[0] == states[1]) == (left == right))
        let processes = [leftError, rightError].map { ProcessState.failed(process: 1, error: $0) }
        #expect((processes[0] == processes[1]) == (left == right))
      }
    }
  }

  @Test func `errors that cannot be compared are not equal`() {
    let action: @Sendable () -> Void = {}
    #expect(!isSameError(Holding(action: action, code: 1), Holding(action: action, code: 1)))
  }

  @Test func `equal contents make equal errors, even without Equatable`() {
    #expect(isSameError(Network.status(code: 1, reason: "a"), Network.status(code: 1, reason: "a")))
    let details = { Details(codes: [1, 2], fields: ["a": 1], note: "n", nested: .init(value: 5)) }
    #expect(isSameError(details(), details()))
  }
}
