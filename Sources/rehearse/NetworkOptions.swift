import ArgumentParser
import NetworkAccess
import Rehearsal

/// What a session may reach, as every subcommand that has one takes it.
struct NetworkOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-network"),
    parsing: .singleValue,
    help: ArgumentHelp(
      "Allow requests to this host, beyond this machine. May be given several times.",
      valueName: "HOST"
    )
  )
  var allowedHosts: [String] = []

  /// The network of a session whose commands come from a file, or from somebody at a prompt.
  func network(isTyped: Bool, notes: RequestNotes? = nil) -> SessionNetwork {
    .sockets(allowing: allowedHosts, canAllow: isTyped, observer: notes?.add)
  }
}
