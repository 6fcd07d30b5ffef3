// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "no-library",
  targets: [
    .executableTarget(name: "NoLibrary")
  ]
)
