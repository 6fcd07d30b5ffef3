#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension FetchClient {
  /// The path of a helper in the folder of the running program; nil where the system does not say.
  static var helperBesideThisProgram: String? {
    guard let path = pathOfThisProgram, let slash = path.lastIndex(of: "/") else { return nil }
    return path[...slash] + helperName
  }

  private static var pathOfThisProgram: String? {
    var path = [CChar](repeating: 0, count: 4096)
    #if canImport(Darwin)
    var size = UInt32(path.count)
    guard _NSGetExecutablePath(&path, &size) == 0 else { return nil }
    #else
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else { return nil }
    #endif
    return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Whether there is a program at a path that this process may run.
func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }
