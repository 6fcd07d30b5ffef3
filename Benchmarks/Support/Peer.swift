/// Another runner of golden files, and the translation of our transcripts for it.
///
/// For each of our commands, it performs the cheapest of its commands that prints the same lines, so that the
/// runner itself is measured.
struct Peer: Sendable {
  typealias File = (name: String, text: String)

  let name: String
  /// Whether it starts a process for a command, a test or a file.
  let startsProcesses: Bool
  /// The number of transcripts, smaller if more would take minutes.
  let count: Int
  /// The number of parallel jobs; 1 if it cannot choose.
  var jobs = 1
  /// A command that succeeds if it is installed.
  let probe: [String]
  /// The files for one transcript.
  let files: @Sendable (_ index: Int, _ transcript: [Exchange]) -> [File]
  /// Additional files in the folder.
  var settings: [File] = []
  /// The program and its arguments, for the names of the files in the folder.
  let command: @Sendable (_ files: [String]) -> [String]

  static let all: [Peer] = [cram, prysk, shelltest, bats, lit, dune, doctest, datadriven]

  /// Whether it is installed.
  var isInstalled: Bool { ChildProcess.run(probe, in: nil, hiding: .outputAndErrors)?.status == 0 }
}

// MARK: Runners that start processes

extension Peer {
  private static let cram = Peer(
    name: "cram",
    startsProcesses: true,
    count: 1_000,
    probe: ["cram", "--version"],
    files: Shell.cramFile,
    // Not '.', because it ignores names that begin with a dot.
    command: { ["cram", "--shell=/bin/sh"] + $0 }
  )

  private static let prysk = Peer(
    name: "prysk",
    startsProcesses: true,
    count: 200,
    probe: ["prysk", "--version"],
    files: Shell.cramFile,
    command: { _ in ["prysk", "--shell=/bin/sh", "."] }
  )

  private static let shelltest = Peer(
    name: "shelltestrunner",
    startsProcesses: true,
    count: 200,
    jobs: 2,
    probe: ["shelltest", "--version"],
    files: { index, transcript in
      let tests = transcript.map {
        "\(Shell.command($0))\n>>>\n" + $0.output.map { $0 + "\n" }.joined() + ">>>=0\n"
      }
      return [("\(index).test", tests.joined(separator: "\n"))]
    },
    command: { _ in ["shelltest", "-j2", "."] }
  )

  private static let bats = Peer(
    name: "bats",
    startsProcesses: true,
    count: 20,
    jobs: 2,
    probe: ["bats", "--version"],
    files: { index, transcript in
      let tests = transcript.enumerated().map { place, exchange in
        """
        @test "\(place)" {
          run \(Shell.command(exchange))
          [ "$output" = \(Shell.quoted(exchange.output.joined(separator: "\n"))) ]
        }

        """
      }
      return [("\(index).bats", tests.joined())]
    },
    command: { _ in ["bats", "--jobs", "2", "."] }
  )

  private static let lit = Peer(
    name: "lit",
    startsProcesses: true,
    count: 20,
    jobs: 2,
    probe: ["lit", "--version"],
    files: { index, transcript in
      var lines = ""
      var expected: [File] = []
      for (place, exchange) in transcript.enumerated() {
        let name = "\(index).\(place).expected"
        let words = exchange.output.map(Shell.quoted).joined(separator: " ")
        lines += words.isEmpty ? "# RUN: true\n" : "# RUN: echo \(words) | diff - %S/\(name)\n"
        if !words.isEmpty {
          expected.append((name, exchange.output.joined(separator: " ") + "\n"))
        }
      }
      return [("\(index).test", lines)] + expected
    },
    settings: [
      (
        "lit.cfg",
        """
        import lit.formats
        config.name = 'transcripts'
        config.test_format = lit.formats.ShTest(False)
        config.suffixes = ['.test']

        """
      )
    ],
    command: { _ in ["lit", "-q", "-j2", "."] }
  )

  private static let dune = Peer(
    name: "dune's cram tests",
    startsProcesses: true,
    count: 100,
    jobs: 2,
    probe: ["dune", "--version"],
    files: Shell.cramFile,
    settings: [("dune-project", "(lang dune 2.9)\n(cram enable)\n")],
    command: { _ in ["dune", "test", "--root", ".", "-j2", "--force"] }
  )
}

// MARK: Runners that start no processes

extension Peer {
  private static let doctest = Peer(
    name: "Python's doctest",
    startsProcesses: false,
    count: 1_000,
    probe: ["python3", "-c", "import doctest"],
    files: { index, transcript in
      let examples = transcript.map { exchange in
        let code = exchange.output.map { "print(\(Shell.pythonText($0)))" }
        let lines = exchange.output.map { $0 + "\n" }.joined()
        return ">>> \(code.isEmpty ? "pass" : code.joined(separator: "; "))\n\(lines)"
      }
      return [("\(index).txt", "A load that is disturbed.\n\n" + examples.joined())]
    },
    command: { ["python3", "-m", "doctest"] + $0 }
  )

  private static let datadriven = Peer(
    name: "Go's datadriven",
    startsProcesses: false,
    count: 10_000,
    probe: ["datadriven", "-test.list", "."],
    files: { index, transcript in
      let cases = transcript.map { exchange in
        let lines = exchange.output.map { $0 + "\n" }.joined()
        let input = exchange.output.map { "|\($0)\n" }.joined()
        return "print\n\(input)----\n\(lines)\n"
      }
      return [("\(index)", cases.joined())]
    },
    command: { _ in ["datadriven", "."] }
  )
}

/// The commands of a transcript as commands of other languages.
private enum Shell {
  /// A command that needs no process, in every shell.
  static func command(_ exchange: Exchange) -> String {
    exchange.output.isEmpty
      ? ":" : "printf '%s\\n' " + exchange.output.map(quoted).joined(separator: " ")
  }

  static func quoted(_ text: String) -> String { "'\(text)'" }

  static func pythonText(_ text: String) -> String { "'\(text)'" }

  @Sendable static func cramFile(_ index: Int, _ transcript: [Exchange]) -> [Peer.File] {
    let commands = transcript.map { exchange in
      "  $ \(command(exchange))\n" + exchange.output.map { "  \($0)\n" }.joined()
    }
    return [("\(index).t", "A load that is disturbed.\n\n" + commands.joined())]
  }
}
