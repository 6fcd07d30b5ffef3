import RemoteLoading
import Testing

@Suite struct TransferProgressTests {
  @Test func `an empty body is complete at once`() {
    #expect(TransferProgress(received: 0, expected: 0).fraction == 1)
  }

  @Test func `the fraction of a body without a length is unknown`() {
    #expect(TransferProgress(received: 10, expected: nil).fraction == nil)
  }
}
