import Foundation
import PackagePlugin

/// `swift package rehearse …`: builds the shell of the package, and runs it with the arguments.
///
/// The exit code is that of the shell.
@main struct RehearseCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let name = extractor.extractOption(named: "shell").last
    let shell = try shell(named: name, in: context.package)
    let program = try build(shell)
    exit(try run(program, extractor.remainingArguments, in: context.package.directoryURL))
  }

  /// Returns the name of the target with the shell.
  private func shell(named name: String?, in package: Package) throws -> String {
    let shells = package.targets.filter { target in
      (target as? SwiftSourceModuleTarget)?.kind == .executable && target.usesRehearsalKit
    }.map(\.name)
    if let name {
      if shells.contains(name) { return name }
      let list = shells.isEmpty ? "" : "; the shells are " + shells.joined(separator: ", ")
      throw Problem("the package has no shell '\(name)'\(list)")
    }
    guard let shell = shells.first else {
      throw Problem(
        "the package has no shell: no executable target uses 'RehearsalKit'; 'rehearse init' adds one"
      )
    }
    guard shells.count == 1 else {
      throw Problem(
        "the package has several shells; add --shell NAME: \(shells.joined(separator: ", "))"
      )
    }
    return shell
  }

  private func build(_ shell: String) throws -> URL {
    let result = try packageManager.build(.product(shell), parameters: .init())
    guard result.succeeded else {
      complain(result.logText)
      throw Problem("the shell '\(shell)' does not build")
    }
    let program = result.builtArtifacts.first {
      $0.kind == .executable && $0.url.lastPathComponent == shell
    }
    guard let program else { throw Problem("the build made no program '\(shell)'") }
    return program.url
  }

  /// Runs the shell in the folder of the package, and returns its exit code.
  private func run(_ program: URL, _ arguments: [String], in folder: URL) throws -> Int32 {
    guard FileManager.default.changeCurrentDirectoryPath(folder.path) else {
      throw Problem("cannot enter the folder '\(folder.path)'")
    }
    // The input of the plugin belongs to the package manager, and its output is a pipe. 'review' and the prompt need the
    // terminal itself.
    let terminal = isOnTerminal ? open("/dev/tty", O_RDWR) : -1
    let before = terminal >= 0 ? tcgetpgrp(terminal) : -1
    // The package manager puts a plugin into the background, where it cannot read from the terminal.
    signal(SIGTTOU, SIG_IGN)
    if before > 0 { tcsetpgrp(terminal, getpgrp()) }
    defer { if before > 0 { tcsetpgrp(terminal, before) } }
    // Ctrl-C is for the shell, which reports its results before it ends.
    signal(SIGINT, SIG_IGN)
    // Nothing could continue a suspended shell, because its parent is not the user's shell.
    signal(SIGTSTP, SIG_IGN)
    let process = try spawn(program.path, arguments, terminal: terminal)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else {
        throw Problem("lost the shell: \(String(cString: strerror(errno)))")
      }
    }
    let end = status & 0x7F
    return end == 0 ? (status >> 8) & 0xFF : 128 + end
  }

  /// Starts the shell. Foundation's `Process` would put it into another group, which is not that of the terminal.
  private func spawn(_ program: String, _ arguments: [String], terminal: Int32) throws -> pid_t {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if terminal >= 0 {
      for file: Int32 in 0...2 { posix_spawn_file_actions_adddup2(&actions, terminal, file) }
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTTOU)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, words, environ)
    guard code == 0 else {
      throw Problem("cannot start '\(program)': \(String(cString: strerror(code)))")
    }
    return process
  }

  /// Whether the input and the output of the package manager are a terminal. Unknown without `/proc`, as on macOS.
  private var isOnTerminal: Bool {
    let files = "/proc/\(getppid())/fd/"
    return ["0", "1", "2"].allSatisfy { file in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: files + file)
      return target?.hasPrefix("/dev/pts/") == true || target?.hasPrefix("/dev/tty") == true
    }
  }

  private func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

extension Target {
  /// Whether the target directly uses the product with the shell's program.
  fileprivate var usesRehearsalKit: Bool {
    dependencies.contains { dependency in
      if case .product(let product) = dependency { product.name == "RehearsalKit" } else { false }
    }
  }
}

/// A mistake of the user, as a message.
private struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
