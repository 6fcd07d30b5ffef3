import Testing

@testable import RehearsalKit

/// The edit of a manifest as text.
@Suite struct ManifestEditTests {
  private let edit = ManifestEdit(dependency: ["D"], targets: [["T(", "  1", ")"]])

  private func edited(_ source: String) throws(ManifestEdit.Refusal) -> String {
    String(decoding: try edit.edited(Array(source.utf8)), as: UTF8.self)
  }

  @Test func `elements are appended with the indentation of the list`() throws {
    #expect(
      try edited(
        """
        let package = Package(
            name: "A",
            dependencies: [
                .package(path: "]")  // A comment ].
            ],
            targets: [
                .target(name: "A"),
                // The last one.
            ]
        )
        """
      ) == """
        let package = Package(
            name: "A",
            dependencies: [
                .package(path: "]"),  // A comment ].
                D,
            ],
            targets: [
                .target(name: "A"),
                // The last one.
                T(
                  1
                ),
            ]
        )
        """
    )
  }

  @Test func `missing dependencies come before the targets`() throws {
    #expect(
      try edited("let package = Package(\n  name: \"A\",\n  targets: []\n)")
        == """
        let package = Package(
          name: "A",
          dependencies: [
            D,
          ],
          targets: [
            T(
              1
            ),
          ]
        )
        """
    )
  }

  @Test func `a list on one line is continued`() throws {
    #expect(
      try edited("let p = Package(name: \"A\", dependencies: [B], targets: [A])")
        == "let p = Package(name: \"A\", dependencies: [B,\n  D,\n], targets: [A,\n  T(\n    1\n  ),\n])"
    )
  }

  @Test(arguments: [
    ("let package = Package(name: \"A\")", "has no 'targets:'"),
    ("let package = Package(name: \"A\", targets: list)", "'targets:' is not a plain list"),
    ("let package = Package(name: \"A\", targets: [a] + others)", "'targets:' is not a plain list"),
    (
      "let package = Package(name: \"A\", targets: [a].map { $0 })",
      "'targets:' is not a plain list"
    ),
    (
      "let package = Package(name: \"A\", dependencies: make(), targets: [a])",
      "'dependencies:' is not a plain list"
    ),
    ("let package = Package(targets: [\n#if os(Linux)\na\n#endif\n])", "contains '#if'"),
    ("func make() -> Package { Package(targets: []) }", "no single call"),
    ("let a = Package(targets: [])\nlet b = Package(targets: [])", "no single call"),
    ("let package = Package(targets: [", "no single call"), ("", "no single call"),
  ])
  func `a manifest of another form is refused`(source: String, reason: String) {
    #expect {
      try edited(source)
    } throws: { error in
      (error as? ManifestEdit.Refusal)?.reason.contains(reason) ?? false
    }
  }

  @Test(arguments: [
    ("/home/a/rehearse", "/home/a/app", "../rehearse"), ("/home/a", "/home/a/b/c", "../.."),
    ("/home/a/b", "/home/a", "b"), ("/opt/rehearse", "/home/a", "/opt/rehearse"),
  ])
  func `a folder is named relative to the package`(path: String, folder: String, expected: String) {
    #expect(RehearseSource.relative(path, to: folder) == expected)
  }

  @Test(arguments: [
    ("App", "AppScenes"), ("my-lib", "MyLibScenes"), ("7up", "App7upScenes"), ("ö", "AppScenes"),
  ])
  func `the new targets have the name of the old one`(name: String, expected: String) {
    #expect(NewFiles.Names(name).scenes == expected)
  }
}
