import Loading

@MainActor final class ProfileModel: LoadableSupport, ProcessSupport {
  var name: LoadableState<String> = .absent
  var saving: SingleProcessState = .idle
  private var drafts = 0

  func refresh() {
    load(\.name) {
      try await Task.sleep(for: .seconds(1))
      return "Ann"
    }
  }

  func save(_ text: String) async {
    await run(\.saving) { try await Task.sleep(for: .seconds(2)) }
  }
}
