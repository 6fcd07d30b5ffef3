// swift-tools-version: 6.2
import PackageDescription

// Test suites that others published. scripts/published-suites copies their files into this package.
let package = Package(
  name: "PublishedSuites",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "rehearse", path: "../.."),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    .package(url: "https://github.com/apple/swift-atomics", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    .systemLibrary(name: "_CAsyncSequenceValidationSupport"),
    .target(
      name: "AsyncSequenceValidation",
      dependencies: [
        "_CAsyncSequenceValidationSupport",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]
    ),
    .target(name: "AsyncAlgorithms_XCTest", dependencies: ["AsyncSequenceValidation"]),
    .testTarget(
      name: "AsyncAlgorithmsTests",
      dependencies: ["AsyncSequenceValidation", "AsyncAlgorithms_XCTest"]
        + products(["AsyncAlgorithms"], of: "swift-async-algorithms")
        + products(["DequeModule"], of: "swift-collections")
    ),
    .testTarget(
      name: "OpenCombineTests",
      dependencies: products(
        ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"],
        of: "OpenCombine"
      )
    ),
    .testTarget(
      name: "ServiceLifecycleTests",
      dependencies: products(["Logging"], of: "swift-log")
        + products(
          ["ServiceLifecycle", "ServiceLifecycleTestKit", "UnixSignals"],
          of: "swift-service-lifecycle"
        )
    ),
    .testTarget(name: "NIOCoreTests", dependencies: nio),
    .testTarget(name: "NIOEmbeddedTests", dependencies: nio),
    .testTarget(
      name: "TracingTests",
      dependencies: products(["Instrumentation", "Tracing"], of: "swift-distributed-tracing")
    ),
  ]
)

var nio: [Target.Dependency] {
  products(["NIOConcurrencyHelpers", "NIOCore", "NIOEmbedded", "NIOTestUtils"], of: "swift-nio")
    + products(["Atomics"], of: "swift-atomics")
    + products(["DequeModule"], of: "swift-collections")
}

func products(_ names: [String], of package: String) -> [Target.Dependency] {
  names.map { .product(name: $0, package: package) }
}

for target in package.targets where target.type != .system {
  target.swiftSettings =
    [.swiftLanguageMode(.v5)]
    + ["1.0", "1.1", "1.2", "1.3"].map {
      .enableExperimentalFeature("AvailabilityMacro=AsyncAlgorithms \($0):macOS 15.0")
    }
  guard target.type == .test else { continue }
  target.dependencies += products(["RehearsalTesting"], of: "rehearse")
}
