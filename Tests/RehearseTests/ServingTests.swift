import Foundation
import PseudoTerminal
import Testing

/// Tests of `rehearse serve`. Requests use the sockets of bash.
@Suite struct ServingTests {
  private static let routes = """
    # What the tests ask for.
    route GET /posts 200 text "hello"
    route GET /file 200 file body.txt

    route POST /login reset
    """

  /// Sends each request on a new connection, ends the server, and returns its output.
  private static func session(_ requests: String...) -> String {
    let asks = requests.map { "ask '\($0)'\n" }.joined()
    return """
      mkfifo pipe
      "$REHEARSE" serve ${ROUTES-routes.rehearse} $OPTIONS >pipe 2>errors &
      exec 4<pipe
      while read -r first <&4 && [[ $first != *http://* ]]; do :; done
      port=${first##*:}
      port=${port%%[^0-9]*}
      ask() {
        exec 3<>"/dev/tcp/127.0.0.1/$port"
        printf '%s HTTP/1.0\\r\\n\\r\\n' "$1" >&3
        cat <&3 2>/dev/null
      }
      \(asks)kill -TERM $!
      wait $!
      echo "code $?"
      echo "${first%:*}:PORT"
      sed 's/[0-9]* ms$/T ms/' <&4
      rm pipe
      """
  }

  /// A recording of a server with the routes of `upstream.rehearse`.
  private static func recording(_ session: String, of host: String, _ options: String) -> String {
    """
    mkfifo other
    "$REHEARSE" serve upstream.rehearse --quiet >other &
    upstream=$!
    exec 5<other
    read -r line <&5
    OPTIONS="--record http://\(host):${line##*:} \(options)"
    ROUTES=
    \(session)
    kill -TERM $upstream
    """ + "\n"
  }

  @Test func `the output has the URL, a line for each request, and the counts`() throws {
    let place = try Workplace()
    try place.write("routes.rehearse", Self.routes)
    try place.write("body.txt", "a file")
    let output = try place.bash(
      Self.session("GET /posts", "GET /file?q=1", "POST /login", "GET /nowhere\u{1B}[2J")
    )
    #expect(output.contains("hello"))
    #expect(output.contains("a file"))
    #expect(
      output.hasSuffix(
        """
        code 0
        listening on http://127.0.0.1:PORT
        GET /posts  200  5 B  T ms
        GET /file?q=1  200  6 B  T ms
        POST /login  reset  0 B  T ms
        (no request)  400 This is not HTTP: invalid URL.  31 B  T ms
        4 requests: 2 answered, 2 failed

        """
      ),
      "\(output)"
    )
  }

  @Test func `--json prints lines of JSON, and --quiet prints no requests`() throws {
    let place = try Workplace()
    try place.write("routes.rehearse", "route GET /posts 200 text \"hello\"")
    let json = try place.bash(Self.session("GET /posts"), options: "--json")
    #expect(json.contains(#"{"type": "request", "method": "GET", "path": "/posts", "#))
    #expect(json.contains(#""status": 200, "problem": null, "#))
    #expect(!json.contains("1 request"))
    let quiet = try place.bash(Self.session("GET /posts"), options: "--quiet")
    #expect(quiet.hasSuffix("code 0\nlistening on http://127.0.0.1:PORT\n1 request: 1 answered\n"))
  }

  @Test func `a mistake in the routes has its place and a hint`() throws {
    let place = try Workplace()
    try place.write("routes.rehearse", "route GET /posts 200\nroute GTE /posts 200\n")
    let outcome = try place.rehearse("serve", "routes.rehearse")
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("routes.rehearse:2: error: there is no method 'GTE'\n"))
    #expect(outcome.errors.contains("\nhint: did you mean 'GET'?"))
  }

  @Test(arguments: [
    ("wait 1s", "error: expected 'route', but found 'wait'"),
    ("route GET / 200 file none", "error: cannot read 'none': there is no such file"),
  ])
  func `a script that cannot be served is an error`(line: String, problem: String) throws {
    let place = try Workplace()
    try place.write("routes.rehearse", line)
    let outcome = try place.rehearse("serve", "routes.rehearse")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(problem))
    #expect(outcome.errors.contains("\nhint: "))
  }

  @Test(arguments: [
    ["serve", "missing.rehearse"], ["serve", "routes.rehearse", "--port", "65536"],
    ["serve", "routes.rehearse", "--bind", "192.0.2.1"],
  ])
  func `an address that cannot be used is an error with a hint`(arguments: [String]) throws {
    let place = try Workplace()
    try place.write("routes.rehearse", Self.routes.replacing("file body.txt", with: ""))
    let outcome = try place.rehearse(arguments, input: [])
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: "))
    #expect(outcome.errors.contains("\nhint: "))
  }

  @Test func `responses of another server are recorded, and the routes answer the same`() throws {
    let place = try Workplace()
    try place.write("upstream.rehearse", "route GET /posts 200 json [1]\nroute GET /cut reset")
    let output = try place.bash(
      Self.recording(
        Self.session("GET /posts", "GET /cut"),
        of: "127.0.0.1",
        "--to routes.rehearse"
      )
    )
    #expect(output.contains("[1]"))
    #expect(output.contains("GET /cut  502 upstream: reset"))
    #expect(output.contains("wrote routes.rehearse: 2 requests in 2 routes"))
    let routes = place.read("routes.rehearse")
    #expect(routes.contains("route GET /posts 200 json [1]"))
    #expect(routes.contains("route GET /cut reset"))
  }

  @Test func `without --to, a recording is printed without secrets`() throws {
    let place = try Workplace()
    try place.write("upstream.rehearse", "route GET /posts 200 json [1]")
    let output = try place.bash(
      Self.recording(
        Self.session("GET /posts?page=1&token=hunter2"),
        of: "localhost",
        "--bind localhost"
      )
    )
    #expect(output.contains("listening on http://127.0.0.1:PORT\n"))
    #expect(output.contains("GET /posts?page=1&token=masked  200"))
    #expect(output.contains("\n# 1 request in 1 route\n"))
    #expect(output.contains("\nroute GET /posts?page=1&token 200 json [1]"))
    #expect(!output.contains("hunter2"))
  }

  @Test(arguments: [
    ["serve"], ["serve", "--record", "http://localhost:1", "--force"], ["serve", "r", "--to", "x"],
    ["serve", "--record", "localhost", "--to", "x"],
  ])
  func `invalid arguments of a recording are refused`(arguments: [String]) throws {
    let outcome = try Workplace().rehearse(arguments, input: [])
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: "))
  }

  @Test func `a recording replaces a file only with --force`() throws {
    let place = try Workplace()
    try place.write("routes.rehearse", "precious")
    let outcome = try place.rehearse(
      "serve",
      "--record",
      "http://localhost:1",
      "--to",
      "routes.rehearse"
    )
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: 'routes.rehearse' already exists\n"))
  }

  @Test func `listening at a public address prints a warning`() throws {
    let place = try Workplace()
    try place.write("routes.rehearse", "route GET / 200")
    let output = try place.bash(
      Self.session("GET /") + "\ncat errors",
      options: "--bind 0.0.0.0"
    )
    #expect(output.contains("listening on http://0.0.0.0:PORT\n"))
    #expect(output.contains("warning: every machine that reaches this address"))
  }
}

extension Workplace {
  /// Runs a script of bash in this folder, with the program as `$REHEARSE`.
  fileprivate func bash(_ script: String, options: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "cd \"$0\"\n" + script, path]
    process.environment = environment.merging(
      ["REHEARSE": BuildProducts.path(of: "rehearse"), "OPTIONS": options]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
