import Testing

@testable import RehearsalKit

/// The plain search of sources for models.
@Suite struct SwiftDeclarationTests {
  private func module(_ source: String) -> SourceModule {
    SourceModule(target: "App", files: [(path: "App.swift", source: Array(source.utf8))])
  }

  private func model(_ source: String) throws -> RehearsedModel {
    let module = module(source)
    return try RehearsedModel(try #require(module.models.first), in: module)
  }

  @Test(arguments: [
    ("@Observable final class A {}", ["A"]),
    ("@MainActor @Observable public class A {}", ["A"]),
    ("import Observation\n@Observation.Observable class A {}", ["A"]),
    ("class A: ObservableObject {}", ["A"]),
    ("class A: Base, Combine.ObservableObject {}", ["A"]),
    ("class A: LoadableSupport {}", ["A"]),
    ("class A {}\nextension A: MainActorProcessSupport {}", ["A"]),
    ("/* @Observable class A {} /* class B: ObservableObject {} */ */", []),
    ("// class A: ObservableObject {}", []),
    ("let text = \"\"\"\nclass A: ObservableObject {}\n\"\"\"", []),
    ("let text = #\"\\\"class A: ObservableObject {}\"#\n@Observable class B {}", ["B"]),
    ("let text = \"\\(list.map { \"}\" }) {\"\n@Observable class B {}", ["B"]),
    ("private class A: ObservableObject {}", []),
    ("@Observable struct A {}", []),
    ("enum Space { @Observable class A {} }", []),
    ("@Observable class A {", []),
  ])
  func `models are classes that can be observed`(source: String, expected: [String]) {
    #expect(module(source).models.map(\.name) == expected)
  }

  @Test func `members are those that other code can read and that change`() throws {
    let model = try model(
      """
      @MainActor @Observable final class A {
        var text = "" { didSet { b = 1 } }
        private(set) var list: [String] = []
        let constant = 1
        private var hidden = 1
        static var shared = 1
        @ObservationIgnored var ignored = 1
        var sum: Int { list.count }
        var later: Int { get async { 1 } }
        var task: Task<Void, Never>?
        lazy var lazily = 1
        #if os(iOS)
        var conditional = 1
        #endif
        var tail = { 1 }()
      }
      """
    )
    #expect(model.members.map(\.name) == ["text", "list", "sum", "tail"])
  }

  @Test func `methods with simple parameters become verbs, and the others are named`() throws {
    let model = try model(
      """
      enum Order: String, CaseIterable, Sendable { case up, down }
      @MainActor @Observable final class A {
        func plain() {}
        func search(_ text: String, limit: Int = 3) async throws -> [String] { [] }
        func sort(by order: Order, factor: Double?) {}
        func take(_ value: Value) {}
        func map<T>(_ value: T) {}
        func call(_ body: @escaping (Int) -> Void) {}
        func change(_ value: inout Int) {}
        func add(_ values: Int...) {}
        private func hidden() {}
        static func make() {}
      }
      """
    )
    #expect(model.verbs.map(\.name) == ["plain", "search", "sort"])
    #expect(model.verbs[1].function.isAsync)
    #expect(model.verbs[1].function.returnsValue)
    #expect(model.verbs[1].parameters.map(\.scene) == [".text(\"TEXT\")", ".integer(\"LIMIT\")"])
    #expect(model.verbs[2].parameters.map(\.scene) == [".choice(\"ORDER\")", ".json(\"FACTOR\")"])
    #expect(
      model.leftOut.map { $0.prefix { $0 != "(" } } == ["take", "map", "call", "change", "add"]
    )
  }

  @Test func `an async method of a class without an actor is left out in Swift 6 mode`() throws {
    let source = "@Observable final class A { var a = 1; func wait() async {} }"
    #expect(try model(source).verbs.isEmpty)
    let older = SourceModule(
      target: "App",
      isSwift6: false,
      files: [(path: "App.swift", source: Array(source.utf8))]
    )
    #expect(try RehearsedModel(try #require(older.models.first), in: older).verbs.count == 1)
  }

  @Test func `names that the shell has already get the name of the scene`() throws {
    let model = try model(
      "@MainActor @Observable class SearchModel { var a = 1; func load() {}; func a() async {} }"
    )
    #expect(model.sceneName == "search")
    #expect(model.verbs.map(\.name) == ["search.load", "search.a"])
  }

  @Test(arguments: [
    ("", "A()"), ("init() {}", "A()"), ("init(count: Int) {}", "A(count: 0)"),
    ("init(_ name: String, size: Int = 3) {}", "A(\"\")"),
    (
      "init(name: String?, list: [Int], table: [String: Int]) {}",
      "A(name: nil, list: [], table: [:])"
    ),
    ("init(_ f: @escaping (String, Int) async throws -> [String]) {}", "A({ _, _ in [] })"),
    ("init(_ f: @Sendable () -> Void) {}", "A({})"),
    ("init(_ f: ((Int) -> Void)? = nil) {}", "A()"),
    ("init(client: Client) {}", "A(client: Client(session: .rehearsing(server, on: stage)))"),
    ("init(store: any Store) {}", "A(store: MemoryStore())"),
    ("init(mode: Mode) {}", "A(mode: .fast)"),
    ("init(clock: any Clock<Duration>) {}", "A(clock: ContinuousClock())"),
    ("init(scheduler: some Scheduler) {}", "A(scheduler: StageScheduler(stage))"),
  ])
  func `a model is created with simple values and test doubles`(
    initialiser: String,
    expected: String
  ) throws {
    let others = """
      struct Client { var session: URLSession = .shared }
      protocol Store {}
      struct DiskStore: Store { let url: Folder }
      struct MemoryStore: Store {}
      enum Mode { case slow(Int), fast }
      """
    let model = try model("@Observable class A { var a = 1; \(initialiser) }\n" + others)
    #expect(model.creation == expected)
  }

  @Test func `a subclass is created by the initialiser of its superclass`() throws {
    let source = "@Observable class A: Base { var a = 1 }\nclass Base { init(size: Int) {} }"
    #expect(try model(source).creation == "A(size: 0)")
  }

  @Test(arguments: [
    "init(book: Book) {}", "private init() {}", "init() async {}", "init?() {}", "var b: Int",
    "init<T>(_ value: T) {}", "init(_ next: B) {}",
  ])
  func `a model that needs an unknown value has a reason and no scene`(text: String) {
    let source =
      "@Observable class A { var a = 1; \(text) }\nstruct B { let a: C }\nstruct C { let b: B }"
    #expect(throws: RehearsedModel.Refusal.self) { try model(source) }
  }

  @Test func `a public model needs no '@testable'`() throws {
    let open = "@Observable public class A { public init() {}; public var a = 1; var b = 1 }"
    #expect(try !model(open).isTestable)
    #expect(try model(open).members.map(\.name) == ["a"])
    #expect(try model("@Observable public class A { public var a = 1 }").isTestable)
  }
}
