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

  func validate() throws {
    for host in allowedHosts where !host.utf8.allSatisfy(Self.isOfHosts) || host.isEmpty {
      throw ValidationError(
        "--allow-network takes the name of a host, like api.example.com, not '\(host)'."
      )
    }
  }

  private static func isOfHosts(_ byte: UInt8) -> Bool {
    UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
      || "0123456789.-".utf8.contains(byte)
  }

  /// The network of a session whose commands come from a file, or from somebody at a prompt.
  func network(isTyped: Bool, notes: RequestNotes? = nil) -> SessionNetwork {
    .sockets(allowing: allowedHosts, canAllow: isTyped, observer: notes?.add)
  }
}
