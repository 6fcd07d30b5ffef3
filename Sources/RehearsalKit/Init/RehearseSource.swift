import Harness
import LibC
import RehearsalBase
import Workers

/// Where a package gets Rehearse from: a folder or a repository, and the dependency for the manifest.
enum RehearseSource: Equatable {
  /// A folder, as the manifest of the package names it.
  case folder(String)
  /// A repository, with the version or the branch to use.
  case repository(String, requirement: String)

  /// The folder with the sources of the running program; nil if it was not started from its build folder.
  static var ofThisProgram: String? {
    guard let path = ThisProgram.path, var folder = Folder.realPath(path) else { return nil }
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = String(folder[..<slash])
      if isRehearse(folder) { return folder }
    }
    return nil
  }

  /// Whether a folder is a package with the name `rehearse`.
  static func isRehearse(_ folder: String) -> Bool {
    guard let manifest = try? FileBytes.read(folder + "/Package.swift") else { return false }
    let words = SwiftTokens(manifest).tokens.prefix(60).map(\.text)
    return zip(words, words.dropFirst(2)).contains { $0 == "name" && $1 == "\"rehearse\"" }
  }

  /// Reads the argument of `--rehearse`, a path or an address. `package` is the real path of the user's package.
  init(_ text: String, for package: String) throws(SubcommandFailure) {
    if text.contains("://") || text.hasPrefix("git@") {
      self = .repository(text, requirement: try Self.requirement(of: text))
      return
    }
    guard let real = Folder.realPath(text), Folder.isFolder(real) else {
      throw SubcommandFailure(
        "there is no folder '\(text)'",
        hint: "--rehearse takes the folder of your clone of Rehearse, or its address"
      )
    }
    guard Self.isRehearse(real) else {
      throw SubcommandFailure(
        "'\(text)' is not Rehearse: it has no Package.swift with the name \"rehearse\"",
        hint: "--rehearse takes the folder of your clone of Rehearse, or its address"
      )
    }
    self = .folder(Self.relative(real, to: package))
  }

  /// Returns the version of this program if the repository has it, otherwise the branch of its HEAD.
  private static func requirement(of address: String) throws(SubcommandFailure) -> String {
    let run: ToolRun
    do throws(SystemError) {
      run = try ToolRun([
        "env", "GIT_TERMINAL_PROMPT=0", "git", "ls-remote", "--symref", "--", address, "HEAD",
        "refs/tags/\(ThisProgram.libraryVersion)",
      ])
    } catch {
      throw SubcommandFailure(
        "cannot start 'git': \(FileProblem(errno: error.code).sentence)",
        hint: nil
      )
    }
    let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
    guard run.end == .status(0), !lines.isEmpty else {
      throw SubcommandFailure(
        "git cannot read '\(address)': \(run.firstError)",
        hint: "--rehearse takes the folder of your clone of Rehearse, or its address",
        exit: .differences
      )
    }
    if lines.contains(where: { $0.hasSuffix("refs/tags/\(ThisProgram.libraryVersion)") }) {
      return "from: \"\(ThisProgram.libraryVersion)\""
    }
    let head = lines.first { $0.hasPrefix("ref: refs/heads/") }
    let branch = head?.dropFirst("ref: refs/heads/".count).prefix { $0 != "\t" } ?? "main"
    return "branch: \"\(branch)\""
  }

  /// Returns a path that leads from one folder to another; the path itself if they have no common parent but the root.
  static func relative(_ path: String, to folder: String) -> String {
    let (to, from) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(to, from).prefix { $0 == $1 }.count
    guard common > 0 else { return path }
    let steps = Array(repeating: "..", count: from.count - common) + to[common...].map(String.init)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }

  /// The name by which targets refer to it.
  var packageName: String {
    guard case .repository(let address, _) = self else { return "rehearse" }
    let last = address.split { $0 == "/" || $0 == ":" }.last ?? "rehearse"
    return (last.hasSuffix(".git") ? String(last.dropLast(4)) : String(last)).lowercased()
  }

  /// Returns the dependency for the manifest. `withoutEditing` builds the prompt without libedit.
  func dependency(withoutEditing: Bool) -> String {
    let traits = withoutEditing ? ", traits: []" : ""
    return switch self {
    case .folder(let path): ".package(name: \"rehearse\", path: \(path.swiftLiteral)\(traits))"
    case .repository(let address, let requirement):
      ".package(url: \(address.swiftLiteral), \(requirement)\(traits))"
    }
  }
}

extension String {
  /// The text as a literal of Swift.
  var swiftLiteral: String {
    "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
