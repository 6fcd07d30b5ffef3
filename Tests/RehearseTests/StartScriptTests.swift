import Foundation
import Testing

/// The script `scripts/rehearse` with a fake `swift`: the build that it starts, and its messages.
@Suite(.timeLimit(.minutes(1))) struct StartScriptTests {
  private let place: Workplace

  /// Writes a program that prints its configuration; fails if there is a file with the name of the step.
  private static let swift = #"""
    #!/bin/bash
    [[ $1 != --version ]] || { echo "Swift version 6.3"; exit; }
    configuration=debug
    while (($# > 0)); do
      case $1 in
        --package-path) root=$2 ;;
        --scratch-path) scratch=$2 ;;
        --configuration) configuration=$2 ;;
        --product) product=$2 ;;
      esac
      shift
    done
    echo "$configuration $product" >>"$root/built"
    while [[ -e $root/wait-$configuration-$product ]]; do sleep 0.02; done
    [[ ! -e $root/fail-$configuration-$product ]] || { echo "a.swift:1:1: error: no"; exit 1; }
    folder=${scratch:-$root/.build}/$configuration
    mkdir -p "$folder"
    printf '#!/bin/bash\necho "%s $*"\n' "$configuration" >"$folder/$product"
    chmod +x "$folder/$product"
    """# + "\n"

  init() throws {
    place = try Workplace()
    for folder in ["bin", "scripts", "Sources"] { try place.makeFolder(folder) }
    let scripts = #filePath.components(separatedBy: "/Tests/")[0] + "/scripts/"
    for name in ["rehearse", "setup.sh"] {
      try FileManager.default.copyItem(
        atPath: scripts + name,
        toPath: "\(place.path)/scripts/\(name)"
      )
    }
    try place.write("bin/swift", Self.swift)
    #expect(chmod(place.path + "/bin/swift", 0o700) == 0)
    try place.write("Package.swift", "")
    try place.write("Sources/a.swift", "")
  }

  /// Runs commands of bash in the folder.
  ///
  /// - Returns: their output, with errors.
  private func bash(_ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    let functions = """
      wait_for() { for _ in {1..1000}; do ! eval "$1" || return 0; sleep 0.02; done; echo "no $1"; exit; }
      until_gone() { wait_for "[[ ! -e $1 ]]"; }
      until_there() { wait_for "[[ -e $1 ]]"; }
      until_built() { wait_for "grep -qx '$1' built 2>/dev/null"; }
      """
    process.arguments = ["-c", "cd \"$0\"; exec 2>&1\n\(functions)\n\(script)", place.path]
    process.environment = place.environment.merging(
      ["PATH": "\(place.path)/bin:/usr/bin:/bin"]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
      .replacingOccurrences(of: place.path, with: "FOLDER")
  }

  private static let begun =
    "This is a debug build; the optimised one is being built in the background for the next start."
  private static let going =
    "This is a debug build; the optimised one is being built in the background."

  @Test func `the first start has the debug build, the next one the optimised build`() throws {
    let output = try bash(
      """
      scripts/rehearse first
      until_there .build/helper/release/rehearse-fetch; until_gone .build/background
      scripts/rehearse second
      readlink .build/release/rehearse-fetch
      cat built
      """
    )
    #expect(
      output == """
        \(Self.begun)
        debug first
        release second
        FOLDER/.build/helper/release/rehearse-fetch
        debug rehearse
        debug rehearse-fetch
        release rehearse
        release rehearse-fetch

        """
    )
  }

  @Test func `a start during the background build does not start another one`() throws {
    let output = try bash(
      """
      touch wait-release-rehearse
      scripts/rehearse first; until_built 'release rehearse'
      scripts/rehearse second; cat built
      rm wait-release-rehearse
      """
    )
    let built = "debug rehearse\ndebug rehearse-fetch\nrelease rehearse\n"
    #expect(output == "\(Self.begun)\ndebug first\n\(Self.going)\ndebug second\n\(built)")
  }

  @Test func `a background build that fails is named at the next start, which tries again`() throws
  {
    let output = try bash(
      """
      touch fail-release-rehearse
      scripts/rehearse first; until_there .build/background-problem; until_gone .build/background
      rm fail-release-rehearse
      scripts/rehearse second; until_there .build/release/rehearse; until_gone .build/background
      scripts/rehearse third
      """
    )
    #expect(
      output == """
        \(Self.begun)
        debug first
        The optimised build failed: a.swift:1:1: error: no
        It is tried again in the background; its output is in FOLDER/.build/background.log
        debug second
        release third

        """
    )
  }

  @Test func `a background build that was killed begins again`() throws {
    let output = try bash(
      """
      touch wait-release-rehearse
      scripts/rehearse first; until_built 'release rehearse'
      kill -KILL $(cat .build/background); rm wait-release-rehearse
      scripts/rehearse second
      until_there .build/helper/release/rehearse-fetch; until_gone .build/background
      scripts/rehearse third
      """
    )
    #expect(
      output
        == "\(Self.begun)\ndebug first\n\(Self.begun)\ndebug second\nrelease third\n"
    )
  }

  @Test func `a change starts the debug build, and one that does not build starts none`() throws {
    let output = try bash(
      """
      REHEARSE_BUILD=release scripts/rehearse first
      touch -d '1 minute' Sources/a.swift fail-debug-rehearse
      scripts/rehearse second; echo code $?
      rm fail-debug-rehearse
      REHEARSE_BUILD=debug scripts/rehearse third; ls .build | grep background
      """
    )
    #expect(
      output == """
        release first
        a.swift:1:1: error: no
        rehearse could not be built.
        code 3
        debug third

        """
    )
  }
}
