import Script

/// Short meanings of the words of commands, for completion and `?`.
enum WordMeanings {
  /// The meaning of a word in a command, after the word `previous`; empty if it needs no explanation.
  static func meaning(
    of word: String,
    in definition: CommandDefinition?,
    behind previous: String?
  ) -> String {
    switch previous {
    case "url": if let code = urlCode(word) { return code }
    case "transport": if let meaning = transports[word] { return meaning }
    case let previous? where isError(behind: previous, in: definition):
      if let meaning = errors[word] { return meaning }
    default: break
    }
    return definition?.meanings[word] ?? usual[word] ?? errorName(word)
  }

  static func meaning(ofType name: String) -> String {
    let types = [
      "String": "text", "Int": "a whole number", "Double": "a number", "Bool": "true or false",
      "Date": "a point in time, as text or number", "JSON": "any value",
      "Text": "a whole body over HTTP as text", "Data": "a whole body over HTTP as bytes",
      "Image": "a whole body over HTTP, an image",
    ]
    return types[name] ?? ""
  }

  private static func errorName(_ word: String) -> String {
    if ErrorSpec.Control(rawValue: word) != nil { return "an error that steers the attempt" }
    return Parser.methodNames.contains(word) ? "a method" : ""
  }

  /// The units of durations.
  static let units: [(name: String, meaning: String)] = [
    ("ms", "milliseconds"), ("s", "seconds"), ("m", "minutes"), ("h", "hours"),
    ("us", "microseconds"), ("ns", "nanoseconds"),
  ]

  private static func isError(behind previous: String, in definition: CommandDefinition?) -> Bool {
    if let definition, definition.action == .inject {
      return previous != definition.verb && previous != "http"
    }
    return ["fail", "error", "failed", "failing", "throw"].contains(previous)
  }

  private static let errors = [
    "http": "an answer with this status", "timeout": "a TimeoutError",
    "image": "a body that is not an image", "transport": "a request without an answer",
  ]

  private static func urlCode(_ name: String) -> String? {
    ErrorSpec.urlCodes.first { $0.name == name }.map { "URLError code \($0.code)" }
  }

  private static let transports = [
    "refused": "no server listens", "reset": "the connection was reset",
    "empty": "closed without a byte of an answer", "truncated": "the answer ended too early",
    "malformed": "the answer was not HTTP", "timedOut": "the time limit was exceeded",
    "cancelled": "the request was cancelled", "insecure": "no secure connection",
    "unresolved": "the host has no address", "offline": "there is no network",
    "unsupportedURL": "the URL is not for HTTP", "tooManyRedirects": "too many redirects",
    "unmatched": "no route answers it", "forbidden": "the host is not allowed",
    "other": "another error",
  ]

  private static let usual: [String: String] = [
    // Answers.
    "yielding": "writes several values before the end", "nothing": "writes no value",
    "fail": "ends with an error", "never": "does not answer",
    "cancelling": "throws the control error that cancels",
    "resetting": "throws the control error that resets",
    "from": "sends an HTTP request", "endpoint": "a named request",
    "then": "how it ends", "or": "an alternative", "after": "the delay",
    // Clauses of load and run.
    "silently": "keeps the state until the answer",
    "uncancellable": "ignores its cancellation",
    "awaited": "through the async overload", "on": "sets the reaction to cancellation",
    "timeout": "throws TimeoutError after this time", "failing": "makes the first tries fail",
    "times": "the number of failing tries", "retry": "tries again, at most N times",
    "backoff": "the delay before a retry; doubles", "jitter": "makes that delay random",
    "priority": "the priority of the task", "interrupt": "calls onInterrupt after these delays",
    "throw": "ends it at the last interrupt", "do": "runs a command at an interrupt",
    "cancel": "on cancellation", "cancelled": "in a task that is already cancelled",
    "high": "a priority", "medium": "a priority", "low": "a priority", "background": "a priority",
    "userInitiated": "a priority", "utility": "a priority",
    // Members.
    "policy": "the rule for a start while another is in flight", "kinds": "the names of its kinds",
    "map": "a field of another member", "compactmap": "a field that may be missing",
    "running": "the process is running", "absent": "there is no value",
    "loading": "a load is in flight", "error": "the load failed", "loaded": "there is a value",
    "idle": "the process is not started", "failed": "the process failed",
    "finished": "the process ended without error", "value": "a value",
    "start": "writes the state after a start",
    "finish": "writes the state after success", "all": "all of them",
    "scene": "a ready-made system",
    // Requests and answers over HTTP.
    "sending": "the body of the request", "json": "a body of JSON", "text": "a body of text",
    "html": "a body of HTML", "file": "a body from a file", "bytes": "a body of N bytes",
    "base64": "a body, encoded", "gzip": "a compressed body", "type": "the type of the body",
    "chunked": "in chunks, without a length", "with": "a header field",
    "over": "the duration, or a socket",
    "socket": "the socket that 'serve' opened", "to": "the upper limit, or a target",
    "refused": "refuses the connection", "empty": "closes without a byte of an answer",
    "cut": "the connection breaks off",
    "reset": "the connection is reset", "silent": "no more bytes come",
    "claiming": "a wrong length of the body", "dripping": "sends the body in pieces",
    "at": "the pace of the body", "once": "at once", "chunk": "a part of the body",
    "chunks": "parts of the body", "hang": "takes the request and never answers",
    "cycle": "begins with the first answer again", "repeat": "repeats the last answer",
    "any": "all methods", "containing": "with this text in it", "header": "a header field",
    "body": "the body", "for": "one member only", "lognormal": "a random time, as in networks",
    "sigma": "the spread of the times", "network": "servers on other machines",
    "secrets": "does not mask secrets", "route": "a route", "requests": "the requests",
    "http": "a status, or all requests", "redacted": "without secrets",
    "garbage": "bytes that are not HTTP", "tls": "a failing handshake",
    // Errors.
    "url": "a URLError, by its code", "transport": "a request without an answer",
    "decoding": "an answer that did not decode", "image": "a body that is not an image",
    "cancellation": "a CancellationError without a cancellation",
    // Time, tests and files.
    "within": "at most this long", "every": "the interval", "tick": "the time of a sign",
    "as": "the format or name", "width": "the width in columns",
    "seed": "the seed of random numbers",
    "last": "only the latest", "next": "the first one", "stop": "stops it",
    "off": "stops it", "caller": "the task that awaits it",
    "failfast": "stops at the first failure",
    "first": "the first of a window", "latest": "the latest of a window",
    "max": "the number at a time", "seconds": "as seconds since 1970",
    "milliseconds": "as milliseconds since 1970", "iso8601": "as 2026-01-31T12:00:00Z",
    "attempts": "the number of starts", "appear": "the view appears",
    "disappear": "the view disappears", "marble": "a marble diagram",
    "ascii": "without Unicode's lines",
    // Signs.
    "(": "a pipe in parentheses", ")": "the end of the pipe", "|": "an operator follows",
    ",": "another one", ":": "a type follows", "=": "a value follows", "{": "fields follow",
    "}": "the end of the fields", "[": "a list of a type", "]": "the end of the list",
    "#": "an attempt, by its number", "?": "optional",
  ]
}
