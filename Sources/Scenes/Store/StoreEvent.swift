/// One thing that happened in a store, as a line of its log.
enum StoreEvent: Equatable {
  case action(AppAction)
  case ignored(AppAction)
  /// A field that an action changed.
  case state(String)
  /// A field that was written without an action.
  case binding(String)
  case command(AppCommand)
  case file(String)
  case dropped(AppCommand.ID)
  /// There is no such command to end.
  case notInFlight(AppCommand.ID)
  /// A request was answered that somebody had let go of.
  case tooLate(AppCommand.ID)
}

extension StoreEvent: CustomStringConvertible {
  var description: String {
    switch self {
    case .action(let action): "action   \(action)"
    case .ignored(let action): "ignored  \(action)"
    case .state(let change): "state    \(change)"
    case .binding(let change): "binding  \(change)"
    case .command(let command): "command  \(command)"
    case .file(let event): "file     \(event)"
    case .dropped(let id): "dropped  \(id); no action will tell how it ends"
    case .notInFlight(let id): "ignored  \(id) is not in flight"
    case .tooLate(let id): "dropped  an answer to \(id), which came too late"
    }
  }
}
