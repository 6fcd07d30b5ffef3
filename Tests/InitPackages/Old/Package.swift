// swift-tools-version:5.10
// swift-format-ignore-file
import PackageDescription

let package = Package(name: "Old", products: [.library(name: "Old", targets: ["Old"])], targets: [.target(name: "Old")])
