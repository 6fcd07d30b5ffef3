// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SearchApp",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "rehearse", path: "../..")
  ],
  targets: [
    // What the app ships. It knows nothing of Rehearse.
    .target(name: "SearchFeature"),

    // What can be rehearsed of it.
    .target(
      name: "SearchScenes",
      dependencies: [
        "SearchFeature",
        .product(name: "Rehearsal", package: "rehearse"),
        .product(name: "URLSessionHTTP", package: "rehearse"),
      ]
    ),

    // The shell, and the transcripts under `swift test`.
    .executableTarget(
      name: "SearchShell",
      dependencies: ["SearchScenes", .product(name: "RehearsalKit", package: "rehearse")]
    ),
    .testTarget(
      name: "SearchTests",
      dependencies: [
        "SearchFeature", "SearchScenes",
        .product(name: "RehearsalTesting", package: "rehearse"),
        .product(name: "URLSessionHTTP", package: "rehearse"),
      ]
    ),
  ]
)
