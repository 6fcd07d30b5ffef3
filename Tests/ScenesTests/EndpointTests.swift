import Testing

@testable import Scenes

@Suite struct EndpointTests {
  @Test(arguments: [
    (0, "now_playing"), (1, "popular"), (2, "upcoming"), (3, "top_rated"),
  ])
  func `the index differs from the order of declaration`(index: Int, path: String) {
    #expect(Endpoint(index: index)?.rawValue == path)
  }

  @Test(arguments: [-1, 4, Int.max])
  func `an unknown index has no endpoint`(index: Int) {
    #expect(Endpoint(index: index) == nil)
  }
}
