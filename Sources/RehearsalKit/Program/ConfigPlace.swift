import LibC
import Rehearsal

/// The path of the config file, in the config folder of the XDG Base Directory Specification.
enum ConfigPlace {
  /// The path, even if there is no file; nil if there is no home folder.
  static var path: String? {
    XDGFolder.path("XDG_CONFIG_HOME", elseInHome: ".config").map { $0 + "/config" }
  }

  /// The maximum size of the file.
  static let limitInBytes = 1 << 16
}

extension OptionSources {
  /// Returns the options of the config file and the environment.
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

/// The folders of this program below the user's home.
enum XDGFolder {
  /// Returns the path of a folder; nil if neither the variable nor a home folder is set.
  static func path(_ name: String, elseInHome folder: String) -> String? {
    guard let base = variable(name) ?? variable("HOME").map({ $0 + "/" + folder }) else {
      return nil
    }
    return base + "/" + ThisProgram.current.name
  }

  /// Returns an absolute path; the specification ignores relative ones.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else {
      return nil
    }
    return value
  }
}
