import LibC

/// A reason why a server cannot listen.
public enum ServeProblem: Error, Hashable, Sendable {
  /// Another process listens at the port.
  case portInUse(Int)
  /// Ports below 1024 are reserved for the system.
  case portNotAllowed(Int)
  /// The port is not from 0 to 65535.
  case noSuchPort(Int)
  /// The text is not an IP address of this machine.
  case noSuchAddress(String)
  /// The system's message.
  case other(String)

  init(_ error: SystemError, address: String, port: Int) {
    switch error.code {
    case EADDRINUSE: self = .portInUse(port)
    case EACCES: self = .portNotAllowed(port)
    case EADDRNOTAVAIL: self = .noSuchAddress(address)
    default: self = .other(String(cString: strerror(error.code)))
    }
  }

  /// The problem, as the text after "error:".
  public var sentence: String {
    switch self {
    case .portInUse(let port): "port \(port) is in use"
    case .portNotAllowed(let port): "port \(port) is not allowed for this user"
    case .noSuchPort(let port): "\(port) is not a valid port"
    case .noSuchAddress(let address): "this machine has no address '\(address)'"
    case .other(let text): "cannot listen: \(text)"
    }
  }

  /// A suggestion.
  public var hint: String {
    switch self {
    case .portInUse: "choose another port, or 0 for any free one"
    case .portNotAllowed: "choose a port from 1024, or 0 for any free one"
    case .noSuchPort: "choose a port from 1 to 65535, or 0 for any free one"
    case .noSuchAddress: "use 127.0.0.1 for this machine only, or 0.0.0.0 for the network"
    case .other: "choose another port"
    }
  }
}
