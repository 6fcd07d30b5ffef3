import Loading

final class ProfileModel: MainActorLoadableSupport, MainActorProcessSupport {
  enum Action { case saving, deleting }

  var name: LoadableState<String> = .absent
  var action: ProcessState<Action> = .idle

  func refresh(from server: ProfileServer) {
    load(\.name) { try await server.name() }
  }

  func save(_ name: String, to server: ProfileServer) async {
    await run(\.action, as: .saving) { try await server.write(name) }
  }
}
