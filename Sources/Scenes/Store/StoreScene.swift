import MockHTTP
import Pipelines
package import Rehearsal
import RemoteLoading
import Staging

/// The scene `store`: two stores with their commands, the item server, and the exercise about debounce.
extension Scene {
  package static let store = Scene(
    "store",
    "PokeMaster's store: actions, a reducer, commands and bindings, with and without its bugs.",
    details: [
      "'dispatch login EMAIL PASSWORD', 'dispatch logout' and 'dispatch loadItems' are actions. The log shows each action, every field of the state that it changed, the commands that it caused and, later, the actions of their results. Invalid actions are ignored. A login takes 1.5s and needs the password 'password'. Each item takes two requests, one after the other, and all items load at the same time: five, instead of PokeMaster's thirty. 'items.answer success' and 'items.answer failure' set the answer of their server.",
      "'bind email TEXT', 'bind mode login|register' and 'bind alert dismissed' change the state without an action. After the first change of the form, the email is checked: its form immediately, and its availability after a pause of 0.5s, by a server that takes 0.5s. A login does not need the server; an email that begins with 'taken' is rejected. 'truth-table' lists all cases.",
      "'cancel-command login|loadItems' cancels a command, and an action reports it. 'drop' drops a subscription instead, without an action. 'state' prints the state, 'diff' prints its changes since the last 'state', and 'replay' applies the whole history with the reducer alone.",
      "'compat.dispatch' and the other 'compat' commands use the same store with PokeMaster's own reducer: loading never ends, the password 'password' logs in at once, logging out does not cancel a login, and the reducer writes files. Its commands cannot be cancelled.",
      "'words' types I, Love, SwiftUI, And, Combine at 0.1s, 0.2s, 0.5s, 1.6s and 2s. A debounce of 1s passes SwiftUI and Combine, or all words so far.",
    ]
  ) { scene in
    try scene.addStores { name in
      let library = ItemLibrary(
        client: RemoteClient(scene.transport(for: name)),
        base: ItemServer.url,
        ids: ItemServer.allItems
      )
      let services = AppServices(logIn: logInAfterAWhile, fetchItems: library.fetchItems)
      return (services.start, EmailCheck(on: scene.stage.scheduler))
    }
    let words = TypedWords(on: scene.stage.scheduler)
    scene.property("words.debounced", of: words, \.debounced)
    scene.property("words.accumulated", of: words, \.accumulated)
    scene.addWords { try await words.typeSample() }
  }
}

extension SceneBuilder {
  /// Adds both stores, with their commands, and the item server.
  ///
  /// - Parameter makeParts: returns what the store with a name needs: its way to perform commands,
  ///   and the check of its form.
  /// - Throws: an error if a route has an invalid path.
  package func addStores(
    _ makeParts: (_ name: String) -> (CommandPerforming.Start, any EmailChecking)
  ) throws {
    for isCompat in [false, true] {
      let name = isCompat ? "compat" : "store"
      let (start, check) = makeParts(name)
      addStore(named: name, start, check, isCompat: isCompat)
    }
    try addItemServer()
  }

  private func addStore(
    named name: String,
    _ start: @escaping CommandPerforming.Start,
    _ check: any EmailChecking,
    isCompat: Bool
  ) {
    let journal = journal(name)
    let storage = FileStorage()
    let store = Store(
      reduce: isCompat ? CompatReducer(storage: storage).reduce : reduce,
      storage: storage,
      startCommand: start
    )
    let console = StoreConsole(store: store, check: check, storage: storage, journal: journal)
    let prefix = isCompat ? "compat." : ""
    addChanges(console, prefix)
    addInspection(console, prefix)
    if !isCompat { addRepairs(console) }
  }

  /// Adds the commands that only the store without bugs has.
  private func addRepairs(_ console: StoreConsole) {
    command("cancel-command", "Cancels a command in flight.", .choice("COMMAND")) {
      console.store.perform(.cancel($0))
    }
    command("truth-table", "Lists when an email is valid.") {
      console.writeTruthTable()
    }
  }

  private func addChanges(_ console: StoreConsole, _ prefix: String) {
    command(
      "\(prefix)dispatch",
      "Dispatches an action; 'login' takes an email and a password.",
      .choice("ACTION"),
      .text("EMAIL").defaulting(to: ""),
      .text("PASSWORD").defaulting(to: "")
    ) { (action: TypedAction, email, password) in
      console.store.dispatch(try action.action(email: email, password: password))
    }
    command(
      "\(prefix)bind",
      "Sets a field without an action.",
      .choice("FIELD"),
      .text("VALUE")
    ) { (field: TypedField, value) in console.bind(try field.binding(to: value)) }
    command("\(prefix)drop", "Drops a subscription.", .choice("SUBSCRIPTION")) {
      console.drop($0)
    }
  }

  private func addInspection(_ console: StoreConsole, _ prefix: String) {
    command("\(prefix)state", "Prints the state.") { console.dump() }
    command("\(prefix)diff", "Prints the changes since the last 'state'.") {
      console.compare()
    }
    command("\(prefix)replay", "Applies the history again, with the reducer alone.") {
      console.replay()
    }
  }

  private func addItemServer() throws {
    for route in try ItemServer.routes() { add(route) }
    let server = server
    command(
      "items.answer",
      "Sets the answer of the item server.",
      .choice("ANSWER", [("success", true), ("failure", false)])
    ) { succeeds in
      for route in succeeds ? try ItemServer.routes() : try ItemServer.failingRoutes() {
        server.add(route)
      }
    }
  }

  /// Adds the command that types the words of the exercise.
  package func addWords(_ type: @escaping @MainActor @Sendable () async throws -> Void) {
    command("words", "Types the words of the exercise.") { try await type() }
  }
}
