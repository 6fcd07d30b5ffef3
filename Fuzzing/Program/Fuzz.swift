import FuzzTargets
import LibC

/// Gives random inputs to the parsers of this project.
@main struct Fuzz {
  static func main() {
    do throws(Usage) {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      exit(run(arguments))
    } catch {
      complain("error: \(error.sentence)\n\(Usage.text)")
      exit(2)
    }
  }

  private static func run(_ arguments: Arguments) -> Int32 {
    var code: Int32 = 0
    for target in arguments.targets {
      let found =
        arguments.files.isEmpty
        ? Campaign(target, arguments).run() : replay(arguments.files, target)
      if found { code = 1 }
    }
    return code
  }

  /// Checks files again, in this process, for a debugger.
  private static func replay(_ files: [String], _ target: any FuzzTarget) -> Bool {
    var found = false
    for file in files {
      guard let bytes = Corpus.read(file) else {
        complain("error: cannot read '\(file)'")
        exit(2)
      }
      do throws(Finding) {
        try target.check(bytes)
        print("\(file): holds")
      } catch {
        print("\(file): \(error)")
        found = true
      }
    }
    return found
  }
}
