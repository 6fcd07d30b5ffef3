// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SearchApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "rehearse", path: "../..")
  ],
  targets: [
    // The code of the app. It does not import Rehearse.
    .target(name: "SearchFeature"),

    // The scenes: the state that a shell shows, and the commands that change it.
    .target(
      name: "SearchScenes",
      dependencies: [
        "SearchFeature",
        .product(name: "Rehearsal", package: "rehearse"),
        .product(name: "URLSessionHTTP", package: "rehearse"),
      ]
    ),

    // The shell.
    .executableTarget(
      name: "SearchShell",
      dependencies: ["SearchScenes", .product(name: "RehearsalKit", package: "rehearse")]
    ),
    .testTarget(
      name: "SearchTests",
      dependencies: [
        "SearchFeature", "SearchScenes",
        .product(name: "MockHTTP", package: "rehearse"),
        .product(name: "Rehearsal", package: "rehearse"),
        .product(name: "RehearsalTesting", package: "rehearse"),
        .product(name: "TranscriptTesting", package: "rehearse"),
        .product(name: "URLSessionHTTP", package: "rehearse"),
      ]
    ),
  ]
)
