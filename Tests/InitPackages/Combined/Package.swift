// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Combined",
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")
  ],
  targets: [
    .target(
      name: "Combined",
      dependencies: [
        .product(name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux]))
      ]
    )
  ]
)
