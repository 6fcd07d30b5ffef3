import Exploring
import Foundation
import FoundationPipelines
import Observation
import Rehearsal
import Testing

/// The page docs/your-own-code.md: this file contains its Swift code, and its sessions are
/// replayed.
@Suite struct OwnCodeTests {
  @Test(arguments: Transcripts.in("docs/your-own-code.md", program: "MyShell"))
  func `each session of the page replays`(transcript: Transcript) throws {
    try transcript.replay(with: [counterScene, shopScene, feedScene, formScene, cartScene])
  }

  @Test func `each piece of code of the page is compiled here`() throws {
    let page = try PageText("docs/your-own-code.md")
    let source = try PageText("Tests/RehearsalTests/OwnCodeTests.swift")

    let pieces = page.swift.filter(\.file.isEmpty)
    #expect(pieces.count == 7)
    for piece in pieces { #expect(source.text.contains(piece.code)) }
  }

  @Test func `the client of the page answers in virtual time`() throws {
    let items = try Stage().run { try await StubClient().items("a") }
    #expect(items == [Item(title: "All about a")])
  }

  @MainActor @Test func `the difference of the page between a scene and its model is found`()
    throws
  {
    let commands = "scene cart\nadd 1\nadd 2\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(commands.utf8)))
    let script = try ExploredScript(file, scenes: [cartScene])
    let failure = try #require(script.outcome(by: Schedule()).failure)

    let page = try PageText("docs/your-own-code.md")
    #expect(page.text.contains("\n\(failure.what)\n"), "\(failure.what)")
  }

  @Test func `the model and the scene of the first shell of the page are compiled here`() throws {
    let page = try PageText("docs/your-own-code.md")
    let source = try PageText("Tests/RehearsalTests/OwnCodeTests.swift")

    let shell = try #require(page.swift.first { $0.file == "Sources/MyShell/MyShell.swift" })
    // The part between the imports and the main type. The main type needs a program.
    let paragraphs = shell.code.split(separator: "\n\n").dropFirst().dropLast()
    #expect(paragraphs.count == 3)
    for paragraph in paragraphs { #expect(source.text.contains(paragraph)) }
  }
}

@MainActor @Observable final class Counter {
  private(set) var count = 0

  func add() async throws {
    try await Task.sleep(for: .seconds(1))
    count += 1
  }
}

let counterScene = Scene("counter", "A slow counter.") { scene in
  let counter = Counter()
  scene.property("count", of: counter, \.count)
  scene.command("add", "Adds one after a second.") { try await counter.add() }
}

private enum Carrier: String, CaseIterable { case bike, train }

private enum Status {
  case open
  case shipped(by: Carrier)
}

private struct Address: Codable {
  var street: String
  var floor: Int?
}

private struct Order {
  var number: Int
  var count: Int
  var isGift: Bool
  var status = Status.open
}

@MainActor private final class Shop: ObservableObject {
  @Published var query = ""
  @Published private(set) var words: [String] = []
  @Published private(set) var order: Order?
  @Published var address: Address?
  private var pipelines: Set<AnyCancellable> = []

  init(scheduler: some Scheduler) {
    $query.dropFirst().debounce(for: .milliseconds(300), scheduler: scheduler)
      .map { $0.split(separator: " ").map(String.init) }
      .sink { [weak self] in self?.words = $0 }
      .store(in: &pipelines)
  }

  func order(_ count: Int, isGift: Bool) {
    order = Order(number: .random(in: 1...9999), count: count, isGift: isGift)
  }

  func ship(by carrier: Carrier, after pause: Duration) async throws {
    try await Task.sleep(for: pause)
    order?.status = .shipped(by: carrier)
  }
}

private let shopScene =
  Scene("shop", "A shop that delivers.") { scene in
    let shop = Shop(scheduler: scene.scheduler)
    scene.property("query", shop.$query)
    scene.values("words", shop.$words.dropFirst())
    scene.property("order", shop.$order)
    scene.property("address", shop.$address)
    scene.command("type", "Types into the search field.", .text("TEXT")) { shop.query = $0 }
    scene.command(
      "order",
      "Orders COUNT things.",
      .integer("COUNT", in: 1...9),
      .flag("GIFT").defaulting(to: false)
    ) { shop.order($0, isGift: $1) }
    scene.command("deliver", "Says where to.", .json("ADDRESS")) { shop.address = $0 }
    scene.command(
      "ship",
      "Sends it off.",
      .choice("CARRIER"),
      .duration("PAUSE").defaulting(to: .zero)
    ) { (carrier: Carrier, pause) in try await shop.ship(by: carrier, after: pause) }
  }

@MainActor private final class Feed: ObservableObject {
  @Published var topic = ""
  @Published private(set) var title = "Home"
  private var pipelines: Set<AnyCancellable> = []

  init() {
    $topic.dropFirst().debounce(for: .seconds(0.5), scheduler: RunLoop.main)
      .removeDuplicates()
      .delay(for: .seconds(1), scheduler: DispatchQueue.main)
      .sink { [weak self] in self?.title = $0 }
      .store(in: &pipelines)
  }
}

private let feedScene = Scene("feed", "News about a topic.") { scene in
  let feed = Feed()
  scene.property("title", feed.$title)
  scene.command("choose", "Chooses a topic.", .text("TOPIC")) { feed.topic = $0 }
}

private struct CartModel: Hashable {
  var count = 0
}

private let cartScene = Scene("cart", "A shopping cart.") { scene in
  let cart = Cart()
  scene.property("count", of: cart, \.count)
  scene.command("add", "Adds items.", .integer("COUNT", in: 1...9)) { try await cart.add($0) }
  scene.command("clear", "Removes all items.") { cart.clear() }
  scene.model(CartModel()) { model in
    model.on("add", Int.self) { $0.count += $1 }
    model.on("clear") { $0.count = 0 }
    model.shows("count") { $0.count }
  }
}

/// A cart that loses items if two calls overlap.
@MainActor @Observable private final class Cart {
  private(set) var count = 0

  func add(_ number: Int) async throws {
    let before = count
    try await Task.sleep(for: .seconds(1))
    count = before + number
  }

  func clear() { count = 0 }
}

@MainActor private final class Form {
  var text = ""

  func submit() async throws {
    try await Task.sleep(for: .seconds(1))
    text = ""
  }
}

private let formScene = Scene("form", "A form that sends a text.") { scene in
  let form = Form()
  scene.command("type", "Types into the form.", .text("TEXT")) { form.text = $0 }
  scene.command("submit", "Sends the text.") { try await form.submit() }
  scene.generate("type", .text(from: "a", "ab"), often: 3)
  scene.generate("submit", atMost: 2, when: { !form.text.isEmpty })
}

private struct Item: Equatable { let title: String }

private protocol ItemClient: Sendable { func items(_ text: String) async throws -> [Item] }

private struct StubClient: ItemClient {
  func items(_ text: String) async throws -> [Item] {
    try await Task.sleep(for: .milliseconds(500))
    return [Item(title: "All about \(text)")]
  }
}
