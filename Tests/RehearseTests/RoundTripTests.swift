import Foundation
import Testing

/// A saved session replays.
@Suite struct RoundTripTests {
  private static let session = """
    # A comment, and what every scenario needs.
    source setup.rehearse
    shape Post { id: Int, title: String }
    loadable posts: [Post] policy queue = []
    route GET /posts 503, 200 json [{"id": 3, "title": "{name}"}] after 100ms to 200ms
    route GET /page 200 bytes 4000 dripping 4 chunks over 1s
    endpoint all GET /posts
    hold GET /page
    loadable page: Data from GET /page
    load page
    load posts from endpoint all retry 2
    view page
    release
    inject http 100% reset
    serve
    load page from /page over socket
    settle
    requests
    routes
    allow network api.example.com
    inject http off
    scenes
    scene playground
    fixed.headline.answer failure
    load fixed.headline
    input query = ""
    marble "a-(bc)-|" as keys tick 50ms
    publisher users = query | debounce 300ms |
    flatMap (load {"name": "{value}"} after 200ms)
    pipe names = users | map name | merge keys
    enter query "Ann" every 100ms
    settle
    log names
    timeline names as marble
    set query finished
    process account kinds save, delete
    load posts [{"id": 1,
    "title": "日本語 👩‍👩‍👧 é"}] after 1s
    list
    show posts
    step
    load posts fail url timedOut after 1s retry 2 backoff 100ms jitter
    in 100ms inject posts "stop"
    at 20s reset posts
    settle
    retry posts
    wait 1.5s
    cancel posts
    set posts loaded [{"id": 2, "title": "b"}]
    policy posts processed
    run account save after 2s interrupt after 1s do cancel account
    now
    schedule 2:1
    schedule default
    explore 3 random seed 1
    seed 7
    expect account idle within 5s
    expect posts loaded [] within 10s
    expect posts never error
    always posts loaded
    never requests 1
    eventually account idle within 1m
    sometimes account idle
    between 20s and 30s reset account
    assertions
    log posts last 3
    width 72
    timeline
    test other.transcript
    help load
    help policies
    help nonsense
    lod posts
    load posts [

    load posts {"id": "x"}
    source missing.rehearse
    source stops.rehearse
    save other/saved.transcript all
    load profile never
    waiting
    settle
    watch posts for 1s
    states posts
    forget profile
    """

  private func place() throws -> Workplace {
    let place = try Workplace()
    try place.write("setup.rehearse", "loadable profile: String\nload profile \"Ann\" after 1s\n")
    try place.write("stops.rehearse", "now\nlod\nnow\n")
    try place.write("other.transcript", "> now\n  1.000s\n")
    return place
  }

  @Test func `a session with every command is saved and replays`() throws {
    let place = try place()
    let outcome = try place.rehearse(
      input: Self.session + "\nsave saved.transcript all\nrecord rest.transcript\nquit\n"
    )
    // In a debug build 'states' alone takes seconds.
    let replay = try place.rehearse(
      "test",
      "--timeout",
      "1m",
      "saved.transcript",
      "rest.transcript"
    )

    #expect(outcome.output.hasSuffix("> quit\n"))
    #expect(replay.output.hasSuffix("\n2 passed (2 expect a failure)\n"))
    #expect(place.read("rest.transcript") == place.read("saved.transcript") + "> quit\n")
  }

  @Test func `the session has every command`() throws {
    let place = try place()
    let reference = try place.rehearse("reference").output
    let commands = reference.components(separatedBy: "## More")[0].matches(of: /### (\w+)\n/)
      .map { String($0.1) }
    let misbehaves = "simulate"
    let concernFiles = ["save", "record", "quit", "undo", "redo", "rewind", "clock"]

    let words = Set(Self.session.split { $0.isWhitespace }.map(String.init))

    #expect(commands.count > 25)
    for command in commands where command != misbehaves && !concernFiles.contains(command) {
      #expect(words.contains(command), "\(command)")
    }
  }

  @Test func `an update changes the played transcript`() throws {
    let place = try place()
    try place.write("a.transcript", "# Why.\n> loadable n\n> load n 1\n  wrong\n> list\n")
    let before = try place.rehearse("test", "a.transcript")
    let update = try place.rehearse("test", "--update", "a.transcript")

    #expect(before.code == 1)
    #expect(before.output.contains("a.transcript:4: "))
    #expect(update.code == 0)
    #expect(
      place.read("a.transcript") == """
        # Why.
        > loadable n
        > load n 1
             0.000s  n  absent → loading #1
             0.000s  n  loading #1 → loaded 1
        > list
          n  loaded 1

        """
    )
    #expect(try place.rehearse("test", "a.transcript").output == "1 passed\n")
  }
}
