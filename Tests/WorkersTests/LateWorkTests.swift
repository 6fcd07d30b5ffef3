import LibC
import Testing

@testable import Workers

@Suite struct LateWorkTests {
  private var isBlocked: Bool {
    var blocked = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &blocked)
    return sigismember(&blocked, LateWork.question) == 1
  }

  @Test func `a question waits while a worker starts`() {
    let before = isBlocked
    var during = false

    #expect(throws: SystemError.self) {
      try LateWork.holdingQuestions { () throws(SystemError) in
        during = isBlocked
        throw SystemError(code: EAGAIN)
      }
    }
    #expect(during)
    #expect(isBlocked == before)
  }
}
