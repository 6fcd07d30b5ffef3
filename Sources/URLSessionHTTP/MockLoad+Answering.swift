#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import MockHTTP
import RemoteLoading
import Staging

/// Passes the response, its pieces and its end to Foundation's client, in virtual time.
extension MockLoad {
  func respond(_ delivery: Exchange.Delivery) {
    guard let exchange, let stage = binding.stage.value else { return }
    binding.server.begin(exchange.id, at: stage.now.elapsed)
    keepCookies(of: delivery.head)
    let plan = DeliveryPlan(delivery)
    if delivery.course.conclusion == .malformed {
      fail(with: .malformed)
    } else if let next = request.redirected(by: delivery.head) {
      follow(next, from: plan)
    } else {
      deliver(plan)
    }
  }

  func deliver(_ plan: DeliveryPlan) {
    restartIdleTimer()
    tell { proto in
      guard let response = self.response(plan.head) else { return }
      self.foundation.urlProtocol(proto, didReceive: response, cacheStoragePolicy: .notAllowed)
    }
    deliver(plan, piece: 0, after: .zero)
  }

  private func deliver(_ plan: DeliveryPlan, piece index: Int, after time: Duration) {
    guard index < plan.pieces.count else { return end(plan.ending) }
    let piece = plan.pieces[index]
    after(piece.time - time) {
      self.restartIdleTimer()
      self.body += piece.bytes
      self.sentBytes += piece.sentBytes
      if !piece.bytes.isEmpty { self.tell { self.passData(piece.bytes, to: $0) } }
      self.deliver(plan, piece: index + 1, after: piece.time)
    }
  }

  /// Passes each piece to a delegate. A completion handler receives only the last data of a load, so it gets the whole body
  /// at the end.
  private func passData(_ bytes: Data, to proto: MockURLProtocol) {
    guard delegateTakesData != false else { return }
    guard let queue = session?.delegateQueue else {
      delegateTakesData = false
      return
    }
    delegateTakesData = queue.takesOperations {
      foundation.urlProtocol(proto, didLoad: bytes)
    }
  }

  private func end(_ ending: DeliveryPlan.Ending) {
    switch ending {
    case .silence: break
    case .failure(let error): fail(with: error)
    case .complete:
      conclude(.answered) { proto in
        if self.delegateTakesData != true, !self.body.isEmpty {
          self.foundation.urlProtocol(proto, didLoad: self.body)
        }
        self.foundation.urlProtocolDidFinishLoading(proto)
      }
    }
  }

  func fail(with error: TransportError, fate: RequestLog.Fate = .failed) {
    conclude(fate) { proto in
      let error = URLError(error, url: self.request.url)
      self.foundation.urlProtocol(proto, didFailWithError: error)
    }
  }

  func response(_ head: HTTPResponse) -> HTTPURLResponse? {
    guard let url = request.url else { return nil }
    var head = head
    // With it, Foundation on Linux asks for credentials, and never ends the task if there are none.
    if head.status.code == 401 { head.headerFields[.wwwAuthenticate] = nil }
    return HTTPURLResponse(
      url: url,
      statusCode: head.status.code,
      httpVersion: "HTTP/1.1",
      headerFields: head.fieldsByName
    )
  }
}
#endif
