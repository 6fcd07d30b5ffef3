// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Tested",
  dependencies: [
    .package(name: "rehearse", path: "../rehearse")
  ],
  targets: [
    .target(name: "Tested", dependencies: [.product(name: "Loading", package: "rehearse")]),
    .testTarget(name: "TestedTests", dependencies: ["Tested"]),
  ],
  swiftLanguageModes: [.v6]
)
