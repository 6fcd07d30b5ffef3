import MockHTTP
import Pipelines
import Rehearsal
import RemoteLoading
import Staging

extension Scene {
  static let store = Scene(
    "store",
    "PokeMaster's store: actions, a reducer, commands and bindings, with its bugs and without.",
    details: [
      "'dispatch login EMAIL PASSWORD', 'dispatch logout' and 'dispatch loadItems' are actions. Each is written down, then every field of the state that it changed, the commands that it caused, and in time the actions of their results. An action that cannot be is ignored. A login takes 1.5s and wants the password 'password'. The items come by two requests each, the second after the first, and all at once: five, where PokeMaster loads thirty. 'items.answer success' and 'items.answer failure' choose what their server does.",
      "'bind email TEXT', 'bind mode login|register' and 'bind alert dismissed' write the state without an action. Once the form is written to, the email is checked: what it looks like at once, and by the server, which takes 0.5s, when nothing was typed for 0.5s. Whoever logs in is not looked up; an email that begins with 'taken' is refused. 'truth-table' says what counts.",
      "'cancel-command login|loadItems' ends a command, which an action tells. 'drop' lets go of a subscription instead, and nothing tells. 'state' writes the state down, 'diff' what differs from when it was last written down, and 'replay' does the whole history once more by the reducer alone.",
      "'compat.dispatch' and the rest are the same store with PokeMaster's own reducer: loading never ends, the password 'password' makes somebody a user at once, logging out lets a login go on, and the reducer writes files. Nothing in it can be cancelled.",
      "'words' types I, Love, SwiftUI, And, Combine at 0.1s, 0.2s, 0.5s, 1.6s and 2s; a debounce of 1s lets SwiftUI and Combine through, or all that was typed so far.",
    ]
  ) { scene in
    for isCompat in [false, true] {
      let name = isCompat ? "compat" : "store"
      let library = ItemLibrary(
        client: RemoteClient(scene.transport(for: name)),
        base: ItemServer.url,
        ids: ItemServer.allItems
      )
      scene.addStore(named: name, library: library, isCompat: isCompat)
    }
    try scene.addItemServer()
    scene.addWords()
  }
}

extension SceneBuilder {
  fileprivate func addStore(named name: String, library: ItemLibrary, isCompat: Bool) {
    let journal = journal(name)
    let storage = FileStorage()
    let store = Store(
      reduce: isCompat ? CompatReducer(storage: storage).reduce : reduce,
      services: AppServices(
        logIn: logInAfterAWhile,
        fetchItems: library.fetchItems,
        storage: storage
      )
    )
    let check = EmailCheck(on: stage.scheduler)
    let desk = StoreDesk(store: store, check: check, storage: storage, journal: journal)
    let prefix = isCompat ? "compat." : ""
    addWriting(desk, prefix)
    addLooking(desk, prefix)
    if !isCompat { addRemedies(desk) }
  }

  /// What only the store without the bugs has.
  private func addRemedies(_ desk: StoreDesk) {
    command("cancel-command", "Cancels a command in flight.", .choice("COMMAND")) {
      desk.store.perform(.cancel($0))
    }
    command("truth-table", "Says when an email is valid.") {
      desk.writeTruthTable()
    }
  }

  private func addWriting(_ desk: StoreDesk, _ prefix: String) {
    command(
      "\(prefix)dispatch",
      "Dispatches an action; 'login' takes an email and a password.",
      .choice("ACTION"),
      .text("EMAIL").defaulting(to: ""),
      .text("PASSWORD").defaulting(to: "")
    ) { (action: TypedAction, email, password) in
      desk.store.dispatch(try action.action(email: email, password: password))
    }
    command(
      "\(prefix)bind",
      "Writes a field without an action.",
      .choice("FIELD"),
      .text("VALUE")
    ) { (field: TypedField, value) in desk.bind(try field.binding(to: value)) }
    command("\(prefix)drop", "Lets go of a subscription.", .choice("SUBSCRIPTION")) {
      desk.drop($0)
    }
  }

  private func addLooking(_ desk: StoreDesk, _ prefix: String) {
    command("\(prefix)state", "Writes the state down.") { desk.dump() }
    command("\(prefix)diff", "Says what differs from the state that was last written down.") {
      desk.compare()
    }
    command("\(prefix)replay", "Does the history once more, by the reducer alone.") {
      desk.replay()
    }
  }

  fileprivate func addItemServer() throws {
    for route in try ItemServer.routes() { add(route) }
    let server = server
    command(
      "items.answer",
      "Chooses what the items' server answers from now on.",
      .choice("ANSWER", [("success", true), ("failure", false)])
    ) { succeeds in
      for route in succeeds ? try ItemServer.routes() : try ItemServer.failingRoutes() {
        server.add(route)
      }
    }
  }

  fileprivate func addWords() {
    let words = TypedWords(on: stage.scheduler)
    property("words.debounced", of: words, \.debounced)
    property("words.accumulated", of: words, \.accumulated)
    command("words", "Types the words of the exercise.") { try await words.typeSample() }
  }
}
