// swift-tools-version: 6.2
import PackageDescription

// Searches libraries that others wrote for violations, with generated sessions and schedules: scripts/libraries. This is a
// separate package, so that users of Rehearse do not fetch these libraries.
let package = Package(
  name: "Libraries",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "rehearse", path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // Generated sessions: sources, consumers and the rules that hold for them.
    .target(
      name: "Sessions",
      dependencies: [
        .product(name: "Exploring", package: "rehearse"),
        .product(name: "RehearsalTesting", package: "rehearse"),
      ]
    ),
    .testTarget(
      name: "AsyncAlgorithmsTests",
      dependencies: [
        "Sessions", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]
    ),
    .testTarget(
      name: "OpenCombineTests",
      dependencies: [
        "Sessions",
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ]
    ),
    .testTarget(
      name: "ServiceLifecycleTests",
      dependencies: [
        "Sessions",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .testTarget(
      name: "NIOTests",
      dependencies: [
        "Sessions", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    // The violations that the searches found, each as small as possible.
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "Sessions",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "RehearsalTesting", package: "rehearse"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
}
