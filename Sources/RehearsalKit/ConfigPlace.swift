import LibC
import Rehearsal

/// Where the config file lies: the config folder of the XDG Base Directory Specification.
enum ConfigPlace {
  /// The file's path, whether it is there or not; nil where there is no home.
  static var path: String? {
    XDGFolder.path("XDG_CONFIG_HOME", elseInHome: ".config").map { $0 + "/config" }
  }

  /// How large it may be.
  static let limitInBytes = 1 << 16
}

extension OptionSources {
  /// What the config file and the environment say.
  static func ofSurroundings(isForScript: Bool) -> OptionSources {
    var sources = OptionSources(isForScript: isForScript)
    sources.addConfigFile()
    sources.addEnvironment { getenv($0).map { String(cString: $0) } }
    return sources
  }

  private mutating func addConfigFile() {
    guard let path = ConfigPlace.path, access(path, F_OK) == 0 else { return }
    do throws(FileProblem) {
      let bytes = try FileBytes.readText(path, limitInBytes: ConfigPlace.limitInBytes)
      add(config: String(decoding: bytes, as: UTF8.self), path: path)
    } catch {
      add(complaint: "error: cannot read '\(path)': \(error.sentence)")
    }
  }
}

/// A folder of this program's own among the user's.
enum XDGFolder {
  /// The folder's path; nil where neither the variable nor a home says one.
  static func path(_ name: String, elseInHome folder: String) -> String? {
    guard let base = variable(name) ?? variable("HOME").map({ $0 + "/" + folder }) else {
      return nil
    }
    return base + "/" + ThisProgram.current.name
  }

  /// A path that has to begin at the root to count, as the specification says.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else {
      return nil
    }
    return value
  }
}
