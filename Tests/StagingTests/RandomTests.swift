#if os(Linux)
import Foundation
import Staging
import Testing

/// Random numbers of the system that code on a stage draws.
@Suite struct RandomTests {
  /// A way to draw, which returns its result as text.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let draw: @Sendable () throws -> String

    init<T>(_ name: String, _ draw: @escaping @Sendable () throws -> T) {
      testDescription = name
      self.draw = { "\(try draw())" }
    }
  }

  static let ways = [
    Way("Int.random") { (0..<4).map { _ in Int.random(in: 1...1_000_000) } },
    Way("Int.random in a half-open range") { (0..<4).map { _ in Int.random(in: 0..<999) } },
    Way("Double.random") { Double.random(in: 0..<1) },
    Way("Bool.random") { (0..<64).map { _ in Bool.random() } },
    Way("SIMD4.random") { SIMD4<Int>.random(in: 0..<1_000_000) },
    Way("shuffled") { (0..<30).shuffled() },
    Way("shuffle") {
      var numbers = Array(0..<30)
      numbers.shuffle()
      return numbers
    },
    Way("randomElement") { (0..<4).map { _ in (0..<1_000_000).randomElement() } },
    Way("SystemRandomNumberGenerator") {
      var generator = SystemRandomNumberGenerator()
      return (generator.next(), Int.random(in: 0..<99, using: &generator))
    },
    Way("any RandomNumberGenerator") {
      var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
      return generator.next()
    },
    Way("UUID") { UUID() },
    Way("NSUUID") { NSUUID().uuidString },
    Way("getentropy") { bytes { getentropy($0, $1) == 0 } },
    Way("arc4random") { "\(arc4random()) \(arc4random_uniform(1_000_000))" },
    Way("arc4random_buf") {
      bytes {
        arc4random_buf($0, $1)
        return true
      }
    },
    Way("rand, random and their relatives") {
      "\(rand()) \(random()) \(drand48()) \(lrand48()) \(mrand48())"
    },
    Way("/dev/urandom by a FileHandle") {
      let file = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
      defer { try? file.close() }
      return try file.read(upToCount: 17).map { Array($0) }
    },
    Way("/dev/urandom by fopen") {
      let file = try #require(fopen("/dev/urandom", "r"))
      defer { fclose(file) }
      return bytes { fread($0, 1, $1, file) == $1 }
    },
  ]

  private static func bytes(_ fill: (UnsafeMutableRawPointer, Int) -> Bool) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 17)
    let isFull = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { fill($0, buffer.count) } == true
    }
    return isFull ? bytes : nil
  }

  @Test(arguments: ways) func `each way to draw follows the seed of the stage`(_ way: Way) throws {
    let drawn = try [1, 1, 2].map { try Stage(seed: $0).enter(way.draw) }

    #expect(drawn[0] == drawn[1])
    #expect(drawn[0] != drawn[2])
    #expect(!drawn[0].contains("nil"))
  }

  @Test(arguments: ways) func `each way draws from the running task`(_ way: Way) throws {
    func draw(after count: Int) throws -> String {
      try Stage().run {
        let task = Task { try way.draw() }
        for _ in 0..<count { _ = try way.draw() }
        return try await task.value
      }
    }
    #expect(try draw(after: 0) == draw(after: 3))
  }

  @Test(arguments: ways) func `the next numbers are other numbers`(_ way: Way) throws {
    let drawn = try Stage().enter { try [way.draw(), way.draw()] }
    #expect(drawn[0] != drawn[1])
  }

  // The functions of the C library are left out: outside of a stage, each process draws the same numbers by them.
  @Test(arguments: ways.filter { !$0.testDescription.hasPrefix("rand, ") })
  func `numbers outside of a stage are random`(_ way: Way) throws {
    let stage = Stage()
    #expect(try way.draw() != way.draw())
    let drawn = try (0..<2).map { _ in try stage.enter { try Stage.withoutStage(way.draw) } }
    #expect(drawn[0] != drawn[1])
  }

  @Test func `a stage leaves the state of rand to other code`() {
    let stage = Stage()
    func draw(_ body: () -> Void = {}) -> [Int32] {
      srand(7)
      let first = rand()
      body()
      return [first, rand()]
    }
    let undisturbed = draw()
    #expect(draw { stage.enter { srand(9) } } == undisturbed)
    #expect(draw { stage.enter { _ = rand() } } == undisturbed)
  }

  @Test func `srand restarts rand and its relatives, and no other function`() throws {
    func draw(seed: UInt32?) throws -> (seeded: [Int32], other: Int) {
      try Stage().run {
        if let seed { srand(seed) }
        return ([rand(), rand()], Int.random(in: 0..<1_000_000))
      }
    }
    let (first, again, other) = try (draw(seed: 5), draw(seed: 5), draw(seed: 6))
    #expect(first.seeded == again.seeded)
    #expect(first.seeded != other.seeded)
    #expect(first.other == other.other)
    #expect(try draw(seed: nil).seeded != first.seeded)
  }

  @Test func `bounds and errors are those of the system`() {
    Stage().enter {
      #expect((0..<1_000).allSatisfy { _ in arc4random_uniform(3) < 3 })
      #expect(arc4random_uniform(0) == 0)
      #expect((0..<1_000).allSatisfy { _ in (0..<1).contains(drand48()) })
      #expect((0..<1_000).allSatisfy { _ in rand() >= 0 && random() <= Int(RAND_MAX) })
      var bytes = [UInt8](repeating: 0, count: 257)
      #expect(getentropy(&bytes, 257) == -1)
      #expect(errno == EIO)
      #expect(bytes.allSatisfy { $0 == 0 })
    }
  }

  // MARK: Streams

  /// Creates tasks in every way. Each draws, and logs its name with the number.
  @MainActor private static func createTasks(_ log: Log) async {
    @Sendable func draw(_ name: String) { log("\(name) \(Int.random(in: 0..<1_000_000))") }
    @Sendable func drawTwice(_ name: String) async {
      draw(name)
      await Task.yield()
      draw(name + " later")
    }
    draw("host")
    // Not a global actor, because tests beside this one call this function on other stages.
    let elsewhere = Elsewhere()
    let tasks = [
      Task { await drawTwice("main") },
      Task.detached { await drawTwice("detached") },
      Task { await elsewhere.perform { await drawTwice("actor") } },
      Task.immediate { await drawTwice("immediate") },
    ]
    async let left: Void = drawTwice("left")
    async let right: Void = drawTwice("right")
    await withTaskGroup { group in
      for index in 0..<3 {
        group.addTask {
          await drawTwice("child \(index)")
          async let grandchild: Void = drawTwice("grandchild \(index)")
          await grandchild
        }
      }
    }
    _ = await (left, right)
    for task in tasks { await task.value }
    draw("host at the end")
  }

  private actor Elsewhere {
    func perform(_ body: @Sendable () async -> Void) async { await body() }
  }

  private func lines(_ order: Stage.Order) throws -> [String] {
    let log = Log()
    try Stage(order: order).run { @MainActor in await Self.createTasks(log) }
    return log.lines
  }

  @Test func `no order changes the numbers of a task`() throws {
    let expected = try lines(.firstInFirstOut)
    #expect(expected.count == 26)
    var orders: Set<[String]> = []
    for seed in 0..<100 as Range<UInt64> {
      let lines = try lines(.shuffled(seed: seed))
      orders.insert(lines)
      #expect(lines.sorted() == expected.sorted())
    }
    #expect(orders.count > 50)
  }

  @Test func `all tasks draw different numbers`() throws {
    let numbers = try lines(.firstInFirstOut).compactMap { $0.split(separator: " ").last }
    #expect(Set(numbers).count == numbers.count)
    let log = Log()
    try Stage().run {
      await withTaskGroup { group in
        for _ in 0..<1_000 { group.addTask { log("\(UInt64.random(in: 0...UInt64.max))") } }
      }
    }
    #expect(Set(log.lines).count == 1_000)
  }

  @Test func `a scheduled closure has its own numbers`() {
    func draw(_ delays: [Int]) -> [String] {
      let (stage, log) = (Stage(), Log())
      for (index, delay) in delays.enumerated() {
        stage.enter {
          _ = stage.schedule(at: StageInstant(elapsed: .seconds(delay))) {
            log("\(index) \(Int.random(in: 0..<1_000_000)) \(Int.random(in: 0..<1_000_000))")
            Task { log("task of \(index) \(Int.random(in: 0..<1_000_000))") }
          }
        }
      }
      stage.settle()
      return log.lines
    }
    #expect(draw([1, 2, 3]).sorted() == draw([3, 1, 2]).sorted())
    #expect(draw([1, 2, 3]) != draw([3, 1, 2]))
  }

  private enum Lazy {
    static let number = Int.random(in: 0..<1_000_000)
    static let task = Task { Int.random(in: 0..<1_000_000) }
  }

  @Test func `a lazy global does not change the numbers of the code that needs it first`() throws {
    func draw() throws -> [Int] {
      try Stage().run {
        let before = Int.random(in: 0..<1_000_000)
        _ = Lazy.number
        _ = Lazy.task
        let child = Task { Int.random(in: 0..<1_000_000) }
        return await [before, Int.random(in: 0..<1_000_000), child.value]
      }
    }
    #expect(try draw() == draw())
  }

  @Test func `a task of the process draws from the stage that it enters`() async {
    func draw() -> Int { Stage(seed: 3).enter { Int.random(in: 0..<1_000_000) } }
    let inTask = await Task { draw() }.value
    #expect(inTask == draw())
    #expect(draw() == Stage(seed: 3).enter { Int.random(in: 0..<1_000_000) })
  }

  @Test func `one task may use several stages`() throws {
    let inner = try Stage(seed: 1).run {
      [Int.random(in: 0..<1_000_000), Stage(seed: 3).enter { Int.random(in: 0..<1_000_000) }]
    }
    #expect(inner[1] == Stage(seed: 3).enter { Int.random(in: 0..<1_000_000) })
  }
}
#endif
