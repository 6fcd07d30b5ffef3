import LibC

/// Why a server cannot listen.
public enum ServeProblem: Error, Hashable, Sendable {
  /// Somebody listens there already.
  case portInUse(Int)
  /// Ports below 1024 are the system's.
  case portNotAllowed(Int)
  /// It is not from 0 to 65535.
  case noSuchPort(Int)
  /// It is no IP address, or none of this machine's.
  case noSuchAddress(String)
  /// What the system says.
  case other(String)

  init(_ error: SystemError, address: String, port: Int) {
    switch error.code {
    case EADDRINUSE: self = .portInUse(port)
    case EACCES: self = .portNotAllowed(port)
    case EADDRNOTAVAIL: self = .noSuchAddress(address)
    default: self = .other(String(cString: strerror(error.code)))
    }
  }

  /// The problem, as the rest of a sentence that begins with "error:".
  public var sentence: String {
    switch self {
    case .portInUse(let port): "port \(port) is in use"
    case .portNotAllowed(let port): "port \(port) is not allowed to this user"
    case .noSuchPort(let port): "there is no port \(port)"
    case .noSuchAddress(let address): "this machine has no address '\(address)'"
    case .other(let text): "cannot listen: \(text)"
    }
  }

  /// What to do about it, beginning with a verb or a fact.
  public var hint: String {
    switch self {
    case .portInUse: "take another port, or 0 for any that is free"
    case .portNotAllowed: "take a port from 1024 on, or 0 for any that is free"
    case .noSuchPort: "ports are 1 to 65535, and 0 is any that is free"
    case .noSuchAddress: "127.0.0.1 is this machine alone, 0.0.0.0 is whoever reaches it"
    case .other: "try another port"
    }
  }
}
