import Observation
package import Rehearsal

/// A bug that no command of its script shows: only generated commands do.
package struct PlantedBug: Sendable, CustomStringConvertible {
  package let name: String
  /// The beginning of each session.
  package let script: [String]
  package var scenes: [Scene] = []
  /// The rule of the violation.
  package let rule: String
  /// Maximum number of commands of the counterexample, with the script.
  package let commands: Int

  package var description: String { name }

  package static let all: [PlantedBug] = [
    PlantedBug(
      name: "two loads in flight, and the older one wins",
      script: ["loadable a policy parallel"],
      rule: "latest-request-wins",
      commands: 3
    ),
    PlantedBug(
      name: "a cancelled load writes its answer",
      script: ["loadable a policy processed"],
      rule: "no-stale-writes",
      commands: 4
    ),
    PlantedBug(
      name: "a process of one kind overtakes another",
      script: ["process p kinds save, delete policy parallel"],
      rule: "latest-request-wins",
      commands: 3
    ),
    PlantedBug(
      name: "an error of the server is shown",
      script: ["route GET /x 200 json [1]", "loadable x from /x", "never x error"],
      rule: "never x error",
      commands: 5
    ),
    PlantedBug(
      name: "the third value is not allowed",
      script: ["loadable a: Int", "never a loaded 3"],
      rule: "never a loaded 3",
      commands: 3
    ),
    PlantedBug(
      name: "the account can be overdrawn",
      script: ["scene account", "never overdrawn true"],
      scenes: [.account],
      rule: "never overdrawn true",
      commands: 5
    ),
    PlantedBug(
      name: "the order is submitted twice",
      script: ["scene form", "never orders 2"],
      scenes: [.form],
      rule: "never orders 2",
      commands: 5
    ),
    PlantedBug(
      name: "a stale result is shown",
      script: ["scene finder", "never isStale true"],
      scenes: [.finder],
      rule: "never isStale true",
      commands: 6
    ),
    PlantedBug(
      name: "a cancelled upload stays busy",
      script: ["scene upload", "eventually busy false within 1h"],
      scenes: [.upload],
      rule: "no-leaked-work",
      commands: 4
    ),
    PlantedBug(
      name: "the text 'ab' and then an erased character",
      script: ["scene editor", "never isBroken true"],
      scenes: [.editor],
      rule: "never isBroken true",
      commands: 4
    ),
  ]
}

@MainActor @Observable private final class Account {
  var balance = 0
  var overdrawn: Bool { balance < 0 }

  /// Checks, waits for the bank, and only then takes the money.
  func withdraw(_ amount: Int) async throws {
    guard balance >= amount else { return }
    try await Task.sleep(for: .seconds(1))
    balance -= amount
  }
}

@MainActor @Observable private final class Form {
  var orders = 0
  private var isSubmitting = false

  func submit() async throws {
    guard !isSubmitting else { return }
    try await Task.sleep(for: .milliseconds(200))
    isSubmitting = true
    orders += 1
    try await Task.sleep(for: .seconds(1))
    isSubmitting = false
  }
}

@MainActor @Observable private final class Finder {
  var asked = ""
  var shown = ""
  var inFlight = 0
  var isStale: Bool { inFlight == 0 && asked != shown }

  /// Short texts take longer.
  func search(_ text: String) async throws {
    asked = text
    inFlight += 1
    try await Task.sleep(for: .seconds(text.count < 2 ? 2 : 1))
    shown = text
    inFlight -= 1
  }
}

@MainActor @Observable private final class Upload {
  var busy = false
  private var waiter: UnsafeContinuation<Void, Never>?

  /// After a cancellation, nothing resumes it.
  func start() async {
    busy = true
    try? await Task.sleep(for: .seconds(1))
    if Task.isCancelled { await withUnsafeContinuation { waiter = $0 } }
    busy = false
  }
}

@MainActor @Observable private final class Editor {
  var text = ""
  var isBroken = false

  func erase() {
    if text == "ab" { isBroken = true }
    text = String(text.dropLast())
  }
}

extension Scene {
  fileprivate static let account = Scene("account", "A bank account.") { scene in
    let account = Account()
    scene.property("balance", of: account, \Account.balance as KeyPath)
    scene.property("overdrawn", of: account, \.overdrawn)
    scene.command("deposit", "Adds money.", .integer("AMOUNT", in: 1...100)) {
      account.balance += $0
    }
    scene.command("withdraw", "Takes money.", .integer("AMOUNT", in: 1...100)) {
      try await account.withdraw($0)
    }
  }

  fileprivate static let form = Scene("form", "An order form.") { scene in
    let form = Form()
    scene.property("orders", of: form, \Form.orders as KeyPath)
    scene.command("submit", "Sends the order.") { try await form.submit() }
  }

  fileprivate static let finder = Scene("finder", "A search field.") { scene in
    let finder = Finder()
    scene.property("shown", of: finder, \Finder.shown as KeyPath)
    scene.property("isStale", of: finder, \.isStale)
    scene.command("search", "Searches.", .text("TEXT")) { try await finder.search($0) }
  }

  fileprivate static let upload = Scene("upload", "An upload.") { scene in
    let upload = Upload()
    scene.property("busy", of: upload, \Upload.busy as KeyPath)
    scene.command("start", "Begins the upload.") { await upload.start() }
  }

  fileprivate static let editor = Scene("editor", "A text field.") { scene in
    let editor = Editor()
    scene.property("text", of: editor, \Editor.text)
    scene.property("isBroken", of: editor, \Editor.isBroken as KeyPath)
    scene.command("erase", "Erases a character.") { editor.erase() }
  }
}
