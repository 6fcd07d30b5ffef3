import Testing

@testable import RehearsalKit

/// The shell of a user's package, for advice.
@Suite struct PackageShellTests {
  private static let manifest = """
    let package = Package(
      name: "News",
      targets: [
        .executableTarget(name: "Tool"),
        .executableTarget(
          name: "NewsShell",
          dependencies: [
            "NewsScenes",
            .product(name: "RehearsalKit", package: "rehearse"),
          ]
        ),
        .executableTarget(name: "Other"),
      ]
    )
    """

  @Test func `the shell is the executable target with the product`() {
    #expect(PackageShell(manifest: Self.manifest)?.name == "NewsShell")
  }

  @Test(arguments: [
    "", ".executableTarget(name: \"A\", dependencies: [\"RehearsalKit\"])",
    ".product(name: \"RehearsalKit\", package: \"rehearse\")",
    ".executableTarget(name: name, dependencies: [.product(name: \"RehearsalKit\", package: \"a\")])",
  ])
  func `another manifest has no shell`(manifest: String) {
    #expect(PackageShell(manifest: manifest) == nil)
  }

  @Test(arguments: [
    ("NewsShell", "/a/.build/debug/NewsShell", "swift run NewsShell"),
    ("NewsShell", "/usr/bin/NewsShell", "NewsShell"),
    ("rehearse", "/a/.build/debug/rehearse", "rehearse"),
  ])
  func `a program that the package manager has built is started by it`(
    program: String,
    path: String,
    command: String
  ) {
    let shell = PackageShell(manifest: Self.manifest)
    #expect(PackageShell.command(of: program, startedAs: path, in: shell) == command)
    #expect(PackageShell.command(of: program, startedAs: path, in: nil) == program)
  }
}
