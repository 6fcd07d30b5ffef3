import Pipelines
import Staging
import Testing

/// The Swift example of the README.
@Suite struct GuideTests {
  @Test func `a debounced query takes no time to test`() {
    var printed: [String] = []
    let stage = Stage()
    let query = OrderedSubject<String, Never>()
    let results = query.debounce(for: .milliseconds(300), scheduler: stage.scheduler)
      .sink { printed.append($0) }

    query.send("s")
    query.send("sw")
    stage.settle()
    #expect(printed == ["sw"])
    results.cancel()
  }
}
