import ArgumentParser
import NetworkAccess
import Rehearsal

/// The option `--allow-network` of every subcommand that has a session.
struct NetworkOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-network"),
    parsing: .singleValue,
    help: ArgumentHelp(
      "Allow requests to this host. This machine is always allowed. May be repeated.",
      valueName: "HOST"
    )
  )
  var allowedHosts: [String] = []

  func validate() throws {
    for host in allowedHosts where !host.utf8.allSatisfy(Self.isOfHosts) || host.isEmpty {
      throw ValidationError(
        "--allow-network takes the name of a host, like api.example.com, not '\(host)'"
      )
    }
  }

  private static func isOfHosts(_ byte: UInt8) -> Bool {
    UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
      || "0123456789.-".utf8.contains(byte)
  }

  /// The network of a session.
  ///
  /// - Parameters:
  ///   - isTyped: whether a person types the commands, who can allow more hosts.
  ///   - notes: receives the requests that the mock server answers.
  /// - Returns: the network.
  func network(isTyped: Bool, notes: RequestNotes? = nil) -> SessionNetwork {
    .sockets(allowing: allowedHosts, canAllow: isTyped, observer: notes?.add)
  }
}
