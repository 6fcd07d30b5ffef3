import Staging
import Testing

@Suite struct LeavingTests {
  @Test func `code that leaves its stage for a while reads real time and returns`() {
    let stage = Stage()
    stage.advance(by: .seconds(3600))
    stage.enter {
      let virtual = ContinuousClock.now
      let (isOnStage, real) = Stage.withoutStage { (stage.isCurrent, ContinuousClock.now) }
      #expect(!isOnStage)
      #expect(real != virtual)
      #expect(stage.isCurrent)
      #expect(ContinuousClock.now == virtual)
    }
  }
}
