import RemoteLoading
import Testing

@Suite struct TransferProgressTests {
  @Test func `an empty body is there at once`() {
    #expect(TransferProgress(received: 0, expected: 0).fraction == 1)
  }

  @Test func `nobody knows how much is left of a body without a length`() {
    #expect(TransferProgress(received: 10, expected: nil).fraction == nil)
  }
}
