// swift-tools-version: 6.2
import PackageDescription

// Of a newer toolchain, CVirtualTime warns that parts of ordinary Swift may stay in real time.
#if compiler(<6.4)
let isToolchainKnown = Context.environment["REHEARSE_UNKNOWN_TOOLCHAIN"] == nil
#else
let isToolchainKnown = false
#endif

let package = Package(
  name: "rehearse",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "rehearse", targets: ["rehearse"]),
    .executable(name: "rehearse-fetch", targets: ["rehearse-fetch"]),
    .executable(name: "rehearse-published", targets: ["rehearse-published"]),
    .library(name: "RehearsalBase", targets: ["RehearsalBase"]),
    .library(name: "Loading", targets: ["Loading"]),
    .library(name: "RemoteLoading", targets: ["RemoteLoading"]),
    .library(name: "Staging", targets: ["Staging"]),
    .library(name: "Exploring", targets: ["Exploring"]),
    .library(name: "Pipelines", targets: ["Pipelines"]),
    .library(name: "FoundationPipelines", targets: ["FoundationPipelines"]),
    .library(name: "MockHTTP", targets: ["MockHTTP"]),
    .library(name: "MockHTTPServer", targets: ["MockHTTPServer"]),
    .library(name: "URLSessionHTTP", targets: ["URLSessionHTTP"]),
    .library(name: "Harness", targets: ["Harness"]),
    .library(name: "Rehearsal", targets: ["Rehearsal"]),
    .library(name: "RehearsalKit", targets: ["RehearsalKit"]),
    .library(name: "RehearsalTesting", targets: ["RehearsalTesting"]),
    .library(name: "TranscriptTesting", targets: ["TranscriptTesting"]),
    .plugin(name: "RehearseCommand", targets: ["RehearseCommand"]),
  ],
  traits: [
    .trait(name: "LineEditing", description: "Line editing at the prompt, with libedit."),
    .default(enabledTraits: ["LineEditing"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // MARK: Foundations of all targets
    .target(name: "LibC"),
    .target(name: "RehearsalBase", dependencies: ["LibC"]),
    .testTarget(name: "RehearsalBaseTests", dependencies: ["RehearsalBase"]),

    // MARK: States and attempts
    .target(name: "Loading"),
    .testTarget(name: "LoadingTests", dependencies: ["RehearsalBase", "Loading", "Staging"]),
    // A module whose classes all have the policy of Processed.
    .testTarget(name: "ProcessedTests", dependencies: ["Loading", "Staging"]),

    // MARK: HTTP as a source of loads
    .target(name: "CGzip", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "RemoteLoading",
      dependencies: [
        "RehearsalBase", "CGzip", "Loading",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .testTarget(
      name: "RemoteLoadingTests",
      dependencies: [
        "RehearsalBase", "Loading", "RemoteLoading", "MockHTTP", "Staging",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),

    // MARK: Virtual time for unmodified Swift
    .target(
      name: "CVirtualTime",
      cSettings: isToolchainKnown ? [] : [.define("REHEARSE_UNKNOWN_TOOLCHAIN")],
      linkerSettings: [.linkedLibrary("dispatch", .when(platforms: [.linux]))]
    ),
    .target(name: "Staging", dependencies: ["LibC", "RehearsalBase", "CVirtualTime"]),
    .testTarget(
      name: "StagingTests",
      dependencies: [
        "CVirtualTime", "Staging", "Workers",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]
    ),

    // MARK: Processes and crash isolation
    .target(name: "CForking"),
    .target(name: "Workers", dependencies: ["LibC", "CForking"]),
    .testTarget(name: "WorkersTests", dependencies: ["LibC", "Workers"]),

    // MARK: Systematic exploration of schedules
    .target(name: "Exploring", dependencies: ["LibC", "RehearsalBase", "Staging", "Workers"]),
    .testTarget(
      name: "ExploringTests",
      dependencies: [
        "Exploring", "Staging",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ],
      exclude: ["Hangs.txt"]
    ),

    // MARK: Combine in virtual time
    .target(
      name: "Pipelines",
      dependencies: [
        "LibC", "Staging",
        .product(
          name: "OpenCombine",
          package: "OpenCombine",
          condition: .when(platforms: [.linux])
        ),
      ]
    ),
    .testTarget(name: "PipelinesTests", dependencies: ["Pipelines", "Staging"]),

    // MARK: Combine with the schedulers of Dispatch and Foundation
    .target(
      name: "FoundationPipelines",
      dependencies: ["Pipelines"]
        + ["OpenCombineDispatch", "OpenCombineFoundation"].map {
          .product(name: $0, package: "OpenCombine", condition: .when(platforms: [.linux]))
        }
    ),
    .testTarget(
      name: "FoundationPipelinesTests",
      dependencies: ["Exploring", "FoundationPipelines", "Staging"]
    ),

    // MARK: Mock servers
    .target(
      name: "MockHTTP",
      dependencies: [
        "RehearsalBase", "Loading", "RemoteLoading", "Staging",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .testTarget(
      name: "MockHTTPTests",
      dependencies: ["RehearsalBase", "Exploring", "MockHTTP", "RemoteLoading", "Staging"]
    ),

    // MARK: Mock servers on a socket
    .target(
      name: "MockHTTPServer",
      dependencies: [
        "LibC", "RehearsalBase", "MockHTTP", "RemoteLoading",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .testTarget(
      name: "MockHTTPServerTests",
      dependencies: [
        "LibC", "RehearsalBase", "MockHTTPServer", "MockHTTP", "RemoteLoading",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),

    // MARK: Unmodified URLSession, and real servers
    .target(
      name: "URLSessionHTTP",
      dependencies: [
        "RemoteLoading", "Staging", "MockHTTP",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .target(
      name: "FetchProtocol",
      dependencies: [
        "LibC", "RehearsalBase", "RemoteLoading", "Workers",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .executableTarget(
      name: "rehearse-fetch",
      dependencies: [
        "LibC", "RemoteLoading", "URLSessionHTTP", "FetchProtocol",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .testTarget(
      name: "URLSessionHTTPTests",
      dependencies: [
        "URLSessionHTTP", "FetchProtocol", "FoundationPipelines", "rehearse-fetch", "RemoteLoading",
        "Staging", "MockHTTP",
        "MockHTTPServer", "Exploring", "Harness", "Pipelines", "Rehearsal", "Workers",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),

    // MARK: Parsing and diagnostics
    .target(
      name: "Script",
      dependencies: [
        "RehearsalBase", "MockHTTP", .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .testTarget(
      name: "ScriptTests",
      dependencies: [
        "LibC", "RehearsalBase", "Script", "MockHTTP",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),

    // MARK: Timelines and pictures
    .target(
      name: "Timelines",
      dependencies: ["RehearsalBase"],
      resources: [
        "recording.js", "view.js", "drawing.js", "frame.js", "pointing.js", "transcript.js",
        "controls.js", "steps.js", "page.css",
      ].map { .embedInCode("HTML/Page/\($0)") }
    ),
    .testTarget(
      name: "TimelinesTests",
      dependencies: ["RehearsalBase", "Timelines", "Script"],
      exclude: ["Pictures"]
    ),
    .testTarget(name: "BrowserTests", dependencies: ["Timelines"]),

    // MARK: Transcripts and test runs
    .target(name: "Harness", dependencies: ["LibC", "RehearsalBase", "Timelines", "Workers"]),
    // A test has threads, so the runner's workers are tested in a separate program.
    .target(name: "FakePerformer", dependencies: ["LibC", "Harness"], path: "Tests/FakePerformer"),
    .executableTarget(
      name: "RunnerHost",
      dependencies: ["LibC", "FakePerformer", "Harness", "Workers"],
      path: "Tests/RunnerHost"
    ),
    .testTarget(
      name: "HarnessTests",
      dependencies: [
        "LibC", "RehearsalBase", "FakePerformer", "Harness", "RunnerHost", "Script", "Workers",
      ]
    ),

    // MARK: Import and conversion of transcripts
    .target(name: "Converting", dependencies: ["RehearsalBase", "Harness", "Script"]),

    // MARK: Sessions
    .target(
      name: "Rehearsal",
      dependencies: [
        "LibC", "RehearsalBase", "Loading", "RemoteLoading", "Staging", "Exploring", "Pipelines",
        "MockHTTP", "Script",
        "Timelines", "Harness", "Workers",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .target(name: "PlantedBugs", dependencies: ["Rehearsal"], path: "Tests/PlantedBugs"),
    .testTarget(
      name: "RehearsalTests",
      dependencies: [
        "LibC", "RehearsalBase", "Converting", "Exploring", "FoundationPipelines", "Harness",
        "NetworkAccess", "PlantedBugs", "Rehearsal",
        "Scenes", "Staging",
        "Pipelines", "Workers",
        "rehearse-fetch",
      ]
    ),

    // MARK: Tests in virtual time, under many schedules
    .target(name: "CTestProgram", dependencies: ["CVirtualTime"]),
    .target(
      name: "RehearsalTesting",
      dependencies: [
        "LibC", "RehearsalBase", "CCrashNotice", "CTestProgram", "CVirtualTime", "Exploring",
        "Staging",
        "Timelines", "Workers",
      ]
    ),
    .testTarget(
      name: "RehearsalTestingTests",
      dependencies: [
        "Exploring", "Loading", "MockHTTP", "Rehearsal", "RehearsalTesting", "RemoteLoading",
        "Staging",
      ],
      exclude: ["Races.txt"]
    ),

    // MARK: Transcripts as tests of Swift Testing
    .target(
      name: "TranscriptTesting",
      dependencies: ["LibC", "Harness", "Rehearsal", "RehearsalTesting"]
    ),
    .testTarget(
      name: "TranscriptTestingTests",
      dependencies: ["Rehearsal", "RehearsalTesting", "TranscriptTesting"]
    ),

    // MARK: Sockets for a session
    .target(
      name: "NetworkAccess",
      dependencies: ["RehearsalBase", "Rehearsal", "MockHTTP", "MockHTTPServer", "FetchProtocol"]
    ),

    // MARK: Scenes
    .target(
      name: "Scenes",
      dependencies: [
        "RehearsalBase", "Exploring", "Loading", "RemoteLoading", "MockHTTP", "Staging",
        "Pipelines", "Rehearsal",
      ]
    ),
    .target(name: "PublicBugs", dependencies: ["Exploring", "Scenes"], path: "Tests/PublicBugs"),
    .testTarget(
      name: "ScenesTests",
      dependencies: [
        "PublicBugs", "RehearsalBase", "Scenes", "Exploring", "Rehearsal", "Loading",
        "RemoteLoading", "MockHTTP",
        "Pipelines",
        "Staging",
      ]
    ),

    // MARK: Scenes with the code of 2019, and a program for them
    .target(
      name: "PublishedScenes",
      dependencies: [
        "FoundationPipelines", "MockHTTP", "Rehearsal", "RemoteLoading", "Scenes",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .testTarget(
      name: "PublishedScenesTests",
      dependencies: ["Harness", "PublishedScenes", "Rehearsal", "TranscriptTesting"]
    ),

    // MARK: The prompt
    .target(
      name: "CLineEdit",
      cSettings: [.define("REHEARSE_LINE_EDITING", .when(traits: ["LineEditing"]))],
      linkerSettings: [.linkedLibrary("edit", .when(traits: ["LineEditing"]))]
    ),
    .target(name: "LineEditing", dependencies: ["LibC", "CLineEdit"]),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    .target(
      name: "PseudoTerminal",
      dependencies: ["LibC", "CPseudoTerminal"],
      path: "Tests/PseudoTerminal"
    ),
    .executableTarget(
      name: "EditingHost",
      dependencies: ["LibC", "LineEditing"],
      path: "Tests/EditingHost"
    ),
    .testTarget(
      name: "LineEditingTests",
      dependencies: ["LibC", "LineEditing", "EditingHost", "PseudoTerminal"]
    ),

    // MARK: The program, for scenes of users and for ours
    .target(
      name: "CCrashNotice",
      dependencies: ["CForking", "CVirtualTime"],
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
    ),
    .target(
      name: "RehearsalKit",
      dependencies: [
        "LibC", "RehearsalBase", "CCrashNotice", "Exploring", "Harness", "Rehearsal", "Script",
        "Staging",
        "Converting", "LineEditing",
        "NetworkAccess", "FetchProtocol", "Loading", "MockHTTP", "MockHTTPServer", "RemoteLoading",
        "Timelines", "Workers",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .testTarget(name: "RehearsalKitTests", dependencies: ["RehearsalKit"]),
    .executableTarget(name: "rehearse", dependencies: ["RehearsalKit", "Scenes"]),
    .plugin(
      name: "RehearseCommand",
      capability: .command(
        intent: .custom(verb: "rehearse", description: "Run the shell of this package."),
        permissions: [
          .writeToPackageDirectory(
            reason: "'test' writes results; 'test --update' and 'review' change transcripts."
          )
        ]
      )
    ),
    .executableTarget(
      name: "rehearse-published",
      dependencies: ["PublishedScenes", "RehearsalKit"]
    ),
    .executableTarget(
      name: "TroubleShell",
      dependencies: ["RehearsalKit", "Staging"],
      path: "Tests/TroubleShell"
    ),
    .testTarget(
      name: "RehearseTests",
      dependencies: [
        "LibC", "RehearsalBase", "LineEditing", "rehearse", "TroubleShell", "CPseudoTerminal",
        "PseudoTerminal", "Workers",
      ]
    ),

    // MARK: Fuzzing
    .target(name: "CHeap", path: "Fuzzing/CHeap"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "LibC", "RehearsalBase", "CHeap", "Exploring", "Harness", "MockHTTP", "Pipelines",
        "Rehearsal",
        "Scenes", "Script",
        "Timelines", "Workers",
      ],
      path: "Fuzzing",
      exclude: ["CHeap", "Corpus", "Program"],
      sources: ["Generating", "Targets"]
    ),
    .executableTarget(
      name: "fuzz",
      dependencies: ["LibC", "FuzzTargets", "Workers"],
      path: "Fuzzing/Program"
    ),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"]),

    // MARK: Benchmarks
    .executableTarget(
      name: "bench",
      dependencies: [
        "LibC", "RehearsalBase", "Loading", "RemoteLoading", "Staging", "Exploring", "MockHTTP",
        "MockHTTPServer",
        "Timelines", "Pipelines", "PlantedBugs", "PseudoTerminal", "PublicBugs", "Rehearsal",
        "Scenes",
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Benchmarks",
      exclude: ["Peers"]
    ),
  ]
)

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = [
    // Code of 2019 passes its objects from queue to queue, which Swift 6 mode does not compile.
    .swiftLanguageMode(target.name == "PublishedScenes" ? .v5 : .v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}

// Programs built by scripts have these modules optimised for size, because the stage and searches spend their time in others.
// Transcripts take 5 % longer. Packages that depend on Rehearse may not have such flags.
let largeModules: Set = [
  "Converting", "LineEditing", "MockHTTPServer", "NetworkAccess", "Rehearsal", "RehearsalKit",
  "RemoteLoading", "Scenes", "Timelines",
]
if Context.environment["REHEARSE_SMALL"] != nil {
  for target in package.targets where largeModules.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
  }
}

// Only scripts/docs needs this plugin. Packages that depend on Rehearse do not fetch it.
if Context.environment["REHEARSE_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")
  )
}
