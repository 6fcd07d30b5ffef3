import RehearsalBase
import Script
import Testing

@testable import Rehearsal

/// The sources of options, and their priorities.
@Suite struct OptionSourceTests {
  private func sources(
    config: String = "",
    environment: [String: String] = [:],
    flags: [(String, SessionOption)] = [],
    isForScript: Bool = false
  ) throws -> OptionSources {
    var sources = OptionSources(isForScript: isForScript)
    sources.add(config: config, path: "config")
    sources.addEnvironment { environment[$0] }
    for (text, option) in flags { try sources.add(flag: text, of: option) }
    return sources
  }

  @Test func `the environment overrides the config file, and a flag both`() throws {
    let config = "width = 50\ntimes = clock\nseed = 1\n"
    let environment = ["REHEARSE_WIDTH": "60", "REHEARSE_TIMES": "milliseconds"]
    let settings = try sources(
      config: config,
      environment: environment,
      flags: [("70", .width)]
    ).settings
    #expect(settings.width == 70)
    #expect(settings.times == .milliseconds)
    #expect(settings.seed == 1)
  }

  @Test func `a weaker source cannot change the value of a stronger one`() throws {
    var settings = SessionSettings()
    for (text, origin) in [("50", .config), ("60", .terminal)]
      as [(String, SessionSettings.Origin)]
    {
      settings.take(try OptionValue(.width, text), from: origin)
    }
    #expect(settings.values.width == 50)
    #expect(settings.origin(of: .width) == .config)
  }

  @Test func `NO_COLOR overrides the config file, and is overridden by our own variable`() throws {
    let config = "colour = always"
    let wish = ["NO_COLOR": "1"]
    #expect(try sources(config: config).settings.colour == .always)
    #expect(try sources(config: config, environment: wish).settings.colour == .never)
    #expect(try sources(config: config, environment: ["NO_COLOR": ""]).settings.colour == .always)
    for name in ["REHEARSE_COLOUR", "REHEARSE_COLOR"] {
      let both = wish.merging([name: "auto"]) { $1 }
      #expect(try sources(environment: both).settings.colour == .auto)
    }
  }

  @Test func `a script takes only colour and paging from the config file and the environment`()
    throws
  {
    let sources = try sources(
      config: "width = 50\npager = never",
      environment: ["REHEARSE_SEED": "5", "NO_COLOR": "1"],
      flags: [("clock", .times)],
      isForScript: true
    )
    #expect(
      sources.values.map(\.value.command) == [
        "set pager never", "set colour never", "set times clock",
      ]
    )
  }

  @Test(arguments: [
    ("widht = 60", "config:2: error: there is no option 'widht'", "hint: did you mean 'width'?"),
    ("width 60", "config:2: error: expected '=', but found '60'", "hint: write 'width = 80'"),
    ("width = 20", "config:2: error: '20' is not a whole number from 40 to 1000", "        ^~"),
    (
      "times = hours",
      "config:2: error: expected seconds, milliseconds or clock, but found 'hours'", nil
    ),
    (
      "times = clok",
      "config:2: error: expected seconds, milliseconds or clock, but found 'clok'",
      "hint: did you mean 'clock'?"
    ),
    (
      "policy = \"ignore\"", "config:2: error: expected a policy, but found '\"'",
      "hint: write it without quotes"
    ),
    ("width = 60 seed = 1", "config:2: error: did not expect 'seed' here", nil),
    ("seed = 2", "config:2: error: 'seed' is given twice", "hint: leave one of them out"),
    ("= 3", "config:2: error: expected an option, but found '='", nil),
  ])
  func `a mistake in the config file is reported with its place, and the rest counts`(
    line: String,
    first: String,
    last: String?
  ) throws {
    let sources = try sources(config: "seed = 1\n\(line)\npager = never # no pages\n")
    #expect(sources.complaints.first == first)
    if let last {
      #expect(sources.complaints.contains { $0.contains(last) }, "\(sources.complaints)")
    }
    #expect(sources.settings.seed == 1)
    #expect(sources.settings.pager == .never)
  }

  @Test func `a byte order mark before the first line is no mistake`() throws {
    let sources = try sources(config: "\u{FEFF}seed = 7\n")
    #expect(sources.complaints == [])
    #expect(sources.settings.seed == 7)
  }

  @Test func `many mistakes are counted, and cannot control a terminal`() throws {
    let sources = try sources(config: String(repeating: "\u{1B}[31m = 1\n", count: 1000))
    #expect(sources.complaints.last == "… 990 more errors in config")
    #expect(sources.complaints.count < 50)
    #expect(!sources.complaints.joined().utf8.contains(0x1B))
  }

  @Test func `a mistake in a variable names the variable`() throws {
    let sources = try sources(environment: ["REHEARSE_WIDTH": "wide"])
    #expect(
      sources.complaints == [
        "REHEARSE_WIDTH: error: expected a width in columns, but found 'wide'", "  wide",
      ] || sources.complaints.first?.hasPrefix("REHEARSE_WIDTH: error: ") == true
    )
    #expect(sources.settings.width == 80)
  }

  @Test func `the example file shows the defaults, with any of its lines enabled`() throws {
    let lines = ConfigExample.text.split(separator: "\n")
    let settings = lines.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
    #expect(settings.count == SessionOption.all.count)
    let config = settings.map { $0.dropFirst() + "\n" }.joined()
    let sources = try sources(config: config)
    #expect(sources.complaints == [])
    for option in SessionOption.all {
      #expect(option.text(sources.settings) == option.initial)
    }
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: SessionOption.all.map(\.name))
  func `an option can be completed and set, and cannot be the name of a member`(name: String) throws
  {
    let option = try #require(SessionOption.named(name))
    let host = SessionHost(files: MemoryFiles()) { _ in }
    defer { host.end() }
    #expect(host.completion(of: "set " + name.prefix(1)).candidates.contains { $0.text == name })
    let values = host.completion(of: "set \(name) ").candidates.map(\.text)
    #expect(option.words.isEmpty || values == option.words.map(\.text))
    for value in values {
      host.perform("set \(name) \(value)")
      #expect(!host.hasFailed)
      #expect(option.text(host.settings) == value)
    }
    for word in option.names {
      host.perform("loadable \(word)")
      #expect(host.hasFailed)
    }
  }
}
