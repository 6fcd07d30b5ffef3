/// An event in a store, as a line of its log.
enum StoreEvent: Equatable {
  case action(AppAction)
  case ignored(AppAction)
  /// An action changed a field.
  case state(String)
  /// A field was set without an action.
  case binding(String)
  case command(AppCommand)
  case file(String)
  case dropped(AppCommand.ID)
  /// There is no such command to cancel.
  case notInFlight(AppCommand.ID)
  /// The answer to a dropped request arrived.
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
    case .dropped(let id): "dropped  \(id); no action will report its end"
    case .notInFlight(let id): "ignored  \(id) is not in flight"
    case .tooLate(let id): "dropped  a late answer to \(id)"
    }
  }
}
