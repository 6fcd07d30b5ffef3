import MockHTTP
import Staging
import Testing

@testable import Scenes

@MainActor @Suite struct StoreTests {
  private let login = AppAction.login(email: "ada@example.com", password: "password")

  @Test func `a login is an action, its change, its command, and the action of its result`() throws
  {
    let run = try StoreRun()
    #expect(
      run.lines { $0.dispatch(login) } == [
        "0s action login(\"ada@example.com\", password: •••)",
        "0s state requesting false → true",
        "0s command login(\"ada@example.com\", password: •••)",
        "1.5s action accountBehaviorDone(user: ada@example.com)",
        "1.5s state requesting true → false",
        "1.5s state user none → ada@example.com",
        "1.5s command writeUser(ada@example.com)",
        "1.5s file user.json written for ada@example.com",
      ]
    )
  }

  @Test func `compat logs in before the server has answered`() throws {
    let run = try StoreRun(compat: true)
    run.stage.enter { run.store.dispatch(login) }
    #expect(run.store.state.user == User(email: "ada@example.com"))
    #expect(run.storage.accessCount == 1)
  }

  @Test(arguments: [false, true])
  func `a wrong password is an error that the alert's binding clears`(compat: Bool) throws {
    let run = try StoreRun(compat: compat)
    _ = run.lines { $0.dispatch(.login(email: "ada@example.com", password: "x")) }
    #expect(run.store.state.loginError == .passwordWrong)
    #expect(
      run.lines { $0.bind(.alertDismissed) } == [
        "1.5s binding loginError the password is wrong → none"
      ]
    )
  }

  @Test(arguments: [false, true])
  func `a second login and a second load are ignored`(compat: Bool) throws {
    let run = try StoreRun(compat: compat)
    run.stage.enter {
      run.store.dispatch(login)
      run.store.dispatch(.loadItems)
    }
    let state = run.store.state
    run.stage.enter {
      run.store.dispatch(login)
      run.store.dispatch(.loadItems)
    }
    #expect(run.store.state == state)
    #expect(run.lines.filter { $0.contains(" ignored ") }.count == 2)
  }

  @Test(arguments: [(false, false), (true, true)])
  func `compat stays in loading after success and after failure`(
    compat: Bool,
    isStuck: Bool
  ) throws {
    let run = try StoreRun(compat: compat)
    _ = run.lines { $0.dispatch(.loadItems) }
    #expect(run.store.state.items.count == 3)
    #expect(run.store.state.isLoading == isStuck)

    let failing = try StoreRun(compat: compat) { throw AppError.networkingFailed("offline") }
    _ = failing.lines { $0.dispatch(.loadItems) }
    #expect(failing.store.state.isLoading == isStuck)
    #expect((failing.store.state.itemsError == nil) == isStuck)
  }

  @Test func `loading items takes as long as the slowest chain of requests`() throws {
    let run = try StoreRun()
    let lines = run.lines { $0.dispatch(.loadItems) }
    #expect(lines.contains("0.4s action loadItemsDone(items: 3)"))
    #expect(run.server.log.entries.count == 6)
  }

  @Test func `one failed request fails the whole load`() throws {
    let run = try StoreRun()
    run.server.add(.get("/species/2", .status(503).after(.milliseconds(50))))
    let lines = run.lines { $0.dispatch(.loadItems) }
    #expect(lines.last == "0.25s state itemsError none → the network failed: service unavailable")
  }

  @Test func `logging out cancels a login in flight, except in compat`() throws {
    let run = try StoreRun()
    _ = run.lines { store in
      store.dispatch(login)
      store.dispatch(.logout)
    }
    #expect(run.store.state == AppState())

    let compat = try StoreRun(compat: true)
    _ = compat.lines { store in
      store.dispatch(login)
      store.dispatch(.logout)
    }
    #expect(compat.store.state.user == User(email: "ada@example.com"))
  }

  @Test func `an action reports a cancelled command, and nothing reports a dropped one`() throws {
    let run = try StoreRun()
    #expect(
      run.lines { store in
        store.dispatch(.loadItems)
        store.perform(.cancel(.loadItems))
      }.suffix(3) == [
        "0s command cancel(loadItems)", "0s action commandCancelled(loadItems)",
        "0s state loading true → false",
      ]
    )
    #expect(
      run.lines { store in
        store.dispatch(.loadItems)
        store.drop(.loadItems)
      }.last == "0s dropped loadItems; no action will report its end"
    )
    #expect(run.store.state.isLoading)
  }

  @Test func `an uncancellable answer comes too late`() throws {
    let run = try StoreRun { [Item(id: 1, name: "a", color: "b")] }
    let lines = run.lines { store in
      store.dispatch(.loadItems)
      store.perform(.cancel(.loadItems))
    }
    #expect(lines.last == "0s dropped a late answer to loadItems")
    #expect(run.store.state.items.isEmpty)
  }

  @Test func `the pure reducer replays the history to the same state and writes no file`()
    throws
  {
    let run = try StoreRun()
    _ = run.lines { store in
      store.bind(.email("ada@example.com"))
      store.dispatch(login)
      store.dispatch(.loadItems)
      store.dispatch(.emailValid(true))
    }
    let accesses = run.storage.accessCount
    #expect(run.store.replay() == run.store.state)
    #expect(run.storage.accessCount == accesses)
  }

  @Test func `the reducer of compat writes files again when it is replayed`() throws {
    let run = try StoreRun(compat: true)
    _ = run.lines { $0.dispatch(login) }
    let accesses = run.storage.accessCount
    #expect(run.store.replay() == run.store.state)
    #expect(run.storage.accessCount == accesses + 2)
  }
}
