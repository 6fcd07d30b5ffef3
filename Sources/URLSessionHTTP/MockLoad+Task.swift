#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import MockHTTP
import RemoteLoading
import Staging

/// Follows the task of a load: cancelled, suspended, resumed, ended; decides when Foundation's client is called.
extension MockLoad {
  /// Reacts to a cancelled, suspended or resumed task.
  func followTask() {
    switch task.state {
    case .canceling:
      task.waitForWork()
      if let error = held.takeFailure() { cancel(error) }
    case .running:
      let steps = parked
      parked = []
      for step in steps { step() }
    case .suspended, .completed: break
    @unknown default: break
    }
  }

  private func cancel(_ error: any Error) {
    finishExchange(.cancelled)
    leave { foundation.urlProtocol($0, didFailWithError: error) }
  }

  /// Ends exchange and task. A cancelled task needs no call, because Foundation already knows.
  func conclude(_ fate: RequestLog.Fate, _ body: @escaping (MockURLProtocol) -> Void) {
    whenRunning {
      self.finishExchange(fate)
      self.task.waitForWork()
      self.leave(body)
    }
  }

  func finishExchange(_ fate: RequestLog.Fate) {
    guard let exchange, let stage = binding.stage.value else { return }
    binding.server.finish(exchange.id, fate, bytesSent: sentBytes, at: stage.now.elapsed)
    self.exchange = nil
  }

  private func leave(_ lastWords: (MockURLProtocol) -> Void) {
    guard let proto else { return }
    self.proto = nil
    binding.remove(self)
    idleTimer?.cancel()
    idleTimer = nil
    for timer in timers { timer.cancel() }
    timers = []
    parked = []
    if session?.delegateQueue.isOfStage == false {
      binding.stage.value?.noteCallback("a callback of a URLSession on its own delegate queue")
    }
    callFoundation { lastWords(proto) }
  }

  /// Calls Foundation's client, and waits until it has passed the call on.
  func tell(_ body: @escaping (MockURLProtocol) -> Void) {
    whenRunning {
      guard let proto = self.proto else { return }
      self.task.waitForWork()
      self.callFoundation { body(proto) }
    }
  }

  private func whenRunning(_ body: @escaping () -> Void) {
    guard proto != nil else { return }
    switch task.state {
    case .running: body()
    case .suspended: parked.append(body)
    case .canceling, .completed: break
    @unknown default: break
    }
  }

  private func callFoundation(_ body: () -> Void) {
    if let queue = session?.delegateQueue {
      queue.whileFoundationAdds(body)
      queue.waitForOperations()
    } else {
      body()
    }
    task.waitForWork()
  }
}
#endif
