// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Mixed",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "rehearse", path: "../..")],
  targets: [
    .testTarget(
      name: "MixedTests",
      dependencies: [.product(name: "RehearsalTesting", package: "rehearse")]
    )
  ]
)
