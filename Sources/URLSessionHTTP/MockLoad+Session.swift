#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import MockHTTP
import RemoteLoading
import Staging

/// Does what a session does for its tasks but not for a `URLProtocol`: time limits, cookies and redirects.
extension MockLoad {
  // MARK: Timeouts

  /// Starts the time limit for the next data again.
  func restartIdleTimer() {
    idleTimer?.cancel()
    idleTimer = timer(after: idleLimit)
  }

  /// The request's limit, unless it is the default of 60 seconds; then the configuration's.
  private var idleLimit: Double {
    let own = request.timeoutInterval
    return own == 60 ? session?.configuration.timeoutIntervalForRequest ?? own : own
  }

  func startResourceTimer() {
    guard let limit = session?.configuration.timeoutIntervalForResource else { return }
    after(Self.duration(limit)) { self.timeOut() }
  }

  private func timer(after seconds: Double) -> Scheduled? {
    guard let stage = binding.stage.value else { return nil }
    let instant = stage.now.advanced(by: Self.duration(seconds))
    return stage.schedule(at: instant) { self.timeOut() }
  }

  private static func duration(_ seconds: Double) -> Duration {
    .milliseconds(Int64(min(max(seconds, 0), 1e12) * 1000))
  }

  private func timeOut() { fail(with: .timedOut, fate: .cancelled) }

  // MARK: Cookies

  func keepCookies(of head: HTTPResponse) {
    guard let url = request.url, let storage = session?.configuration.httpCookieStorage else {
      return
    }
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: head.fieldsByName, for: url)
    storage.setCookies(cookies, for: url, mainDocumentURL: nil)
  }

  // MARK: Redirects

  /// Asks the session's delegate, if it has one, and follows the redirect. If the delegate refuses, the redirect itself is
  /// the answer.
  func follow(_ next: URLRequest, from plan: DeliveryPlan) {
    places.append(next.url?.absoluteString ?? "")
    guard places.count <= URLRequest.redirectLimit else {
      return fail(with: .tooManyRedirects(places))
    }
    guard let session, let stage = binding.stage.value,
      let delegate = session.delegate as? any URLSessionTaskDelegate,
      let response = response(plan.head)
    else { return go(to: next) }
    let task = task
    session.delegateQueue.addForSession {
      delegate.urlSession(
        session,
        task: task,
        willPerformHTTPRedirection: response,
        newRequest: next
      ) { chosen in
        stage.schedule(at: stage.now) {
          if let chosen { self.go(to: chosen) } else { self.deliver(plan) }
        }
      }
    }
    session.delegateQueue.waitForOperations()
  }

  private func go(to next: URLRequest) {
    guard proto != nil else { return }
    finishExchange(.answered)
    let isSame = next.httpMethod == request.httpMethod
    ask(next, body: isSame ? task.uploadedBody : nil)
  }
}
#endif
