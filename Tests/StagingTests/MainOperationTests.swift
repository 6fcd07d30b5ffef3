#if os(Linux)
import Foundation
import Staging
import Testing

/// `OperationQueue.main` on several stages.
@Suite struct MainOperationTests {
  private let first = Stage()
  private let second = Stage()
  private let log = Log()

  private func add(_ text: String) {
    OperationQueue.main.addOperation {
      let name = first.isCurrent ? "first" : second.isCurrent ? "second" : "no"
      log("\(text) on \(name) stage at \(Stage.current.map { "\($0.now)" } ?? "")")
    }
  }

  @Test func `each stage has its own main queue of operations`() {
    let queues = [first, second].map { $0.enter { OperationQueue.main } }
    #expect(queues[0] !== queues[1])
    #expect(first.enter { OperationQueue.main === queues[0] })
    #expect(OperationQueue.main !== queues[0] && OperationQueue.main !== queues[1])
    #expect(queues.allSatisfy { $0.maxConcurrentOperationCount == 1 })
    #expect(queues.allSatisfy { $0.name == OperationQueue.main.name })
    queues[0].isSuspended = true
    #expect(!queues[0].isSuspended)
  }

  @Test func `operations run on the stage of the code that adds them, in virtual time`() {
    first.enter {
      add("one")
      DispatchQueue.main.asyncAfter(deadline: .now() + 60) { add("minute") }
    }
    second.enter { add("two") }
    second.settle()
    #expect(log.lines == ["two on second stage at 0s"])
    first.settle()
    #expect(
      log.lines == [
        "two on second stage at 0s", "one on first stage at 0s", "minute on first stage at 60s",
      ]
    )
  }

  @Test func `a stage sees only its own operations`() {
    first.enter { add("one") }
    #expect(second.enter { OperationQueue.main.operationCount } == 0)
    #expect(first.enter { OperationQueue.main.operationCount } == 1)
    #expect(second.enter { OperationQueue.main.operations } == [])
    second.enter { OperationQueue.main.cancelAllOperations() }
    second.enter {
      DispatchQueue.global().async {
        OperationQueue.main.waitUntilAllOperationsAreFinished()
        log("waited")
      }
    }
    second.settle()
    #expect(log.lines == ["waited"])
    first.settle()
    #expect(log.lines.last == "one on first stage at 0s")
  }

  @Test func `a stage that ends with operations does not stop those of another one`() {
    first.enter {
      add("one")
      add("two")
    }
    first.close()
    second.enter { add("three") }
    second.settle()
    #expect(log.lines == ["three on second stage at 0s"])
  }

  @Test func `main-actor code has the main queue of its stage as the current one`() {
    first.enter {
      #expect(OperationQueue.current === OperationQueue.main)
      OperationQueue.main.addOperation {
        log("in operation: \(OperationQueue.current === OperationQueue.main)")
      }
      let other = OperationQueue()
      other.addOperation { log("in other: \(OperationQueue.current === other)") }
    }
    first.settle()
    #expect(log.lines == ["in operation: true", "in other: true"])
  }

  @Test func `a thread that code of a stage has started gets the main queue of the stage`() {
    let queue = first.enter { OperationQueue.main }
    let done = DispatchSemaphore(value: 0)
    first.enter {
      Thread.detachNewThread {
        log("\(OperationQueue.main === queue)")
        done.signal()
      }
    }
    done.wait()
    #expect(log.lines == ["true"])
  }
}
#endif
