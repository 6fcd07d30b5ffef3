// swift-tools-version: 6.2
// swift-format-ignore-file
import PackageDescription

let package = Package(
    name: "Several",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Catalogue", targets: ["Catalogue"]),
        .library(name: "SearchFeature", targets: ["search-feature"]),
    ],
    targets: [
        // Types without a model.
        .target(name: "Catalogue"),
        .target(
            name: "search-feature",
            dependencies: ["Catalogue"],
            swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]
        ),  // The feature.
    ]
)
