import Script

/// What the words of commands mean, in a few words: for completion and for `?`.
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

  /// Of durations.
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
    "image": "bytes that are no image", "transport": "a request that got no answer",
  ]

  private static func urlCode(_ name: String) -> String? {
    ErrorSpec.urlCodes.first { $0.name == name }.map { "URLError code \($0.code)" }
  }

  private static let transports = [
    "refused": "nobody listens", "reset": "the connection was reset",
    "empty": "closed without a byte of an answer", "truncated": "the answer ended too early",
    "malformed": "the answer was no HTTP", "timedOut": "the time for it was over",
    "cancelled": "the request was cancelled", "insecure": "no secure connection came about",
    "unresolved": "the host has no address", "offline": "there is no network",
    "unsupportedURL": "the address is not for HTTP", "tooManyRedirects": "one led to the next",
    "unmatched": "no route answers it", "forbidden": "the host is not allowed",
    "other": "whatever else",
  ]

  private static let usual: [String: String] = [
    // Answers.
    "yielding": "hands over several values on the way", "nothing": "hands over no value",
    "fail": "ends with an error", "never": "does not answer",
    "cancelling": "throws the error that cancels it",
    "resetting": "throws the error that resets it",
    "from": "makes a request over HTTP", "endpoint": "a request that has a name",
    "then": "how it ends", "or": "what may come instead", "after": "how long it takes",
    // Clauses of load and run.
    "silently": "leaves the state alone until it answers",
    "uncancellable": "ignores its cancellation",
    "awaited": "through the async overload", "on": "what it makes of its cancellation",
    "timeout": "throws TimeoutError after this time", "failing": "makes the first tries fail",
    "times": "how many tries fail", "retry": "tries again, up to so many times",
    "backoff": "how long to wait before a retry; doubles", "jitter": "waits by chance, up to that",
    "priority": "of the task it runs in", "interrupt": "calls onInterrupt after these delays",
    "throw": "ends it at the last interrupt", "do": "performs a command at an interrupt",
    "cancel": "when it is cancelled", "cancelled": "in a task that was cancelled before",
    "high": "a priority", "medium": "a priority", "low": "a priority", "background": "a priority",
    "userInitiated": "a priority", "utility": "a priority",
    // Members.
    "policy": "what a start does while another is in flight", "kinds": "the names of its kinds",
    "map": "a field of another member", "compactmap": "a field that may be missing",
    "running": "a process is at work", "absent": "there is no value",
    "loading": "a load is in flight", "error": "the load failed", "loaded": "there is a value",
    "idle": "the process was not started", "failed": "the process failed",
    "finished": "it ended well", "value": "a value", "start": "as a start does",
    "finish": "as the end does", "all": "every one of them", "scene": "a ready-made system",
    // Requests and answers over HTTP.
    "sending": "the body of the request", "json": "a body of JSON", "text": "a body of text",
    "html": "a body of HTML", "file": "a body from a file", "bytes": "a body of so many bytes",
    "base64": "a body, encoded", "gzip": "a compressed body", "type": "the type of the body",
    "chunked": "in chunks, without a length", "with": "a header field", "over": "over what",
    "socket": "the socket that 'serve' opened", "to": "where to",
    "refused": "nobody listens", "empty": "closes without a byte of an answer",
    "cut": "the connection breaks off",
    "reset": "the connection is reset", "silent": "nothing more comes",
    "claiming": "a length that is not the body's", "dripping": "bit by bit",
    "at": "at which pace", "once": "at once", "chunk": "a part of the body",
    "chunks": "parts of the body", "hang": "takes the request and never answers",
    "cycle": "begins with the first answer again", "repeat": "gives the last answer again",
    "any": "any of them", "containing": "with this text in it", "header": "a header field",
    "body": "the body", "for": "for whom", "lognormal": "a random time, as networks have it",
    "sigma": "how far the times scatter", "network": "servers beyond this machine",
    "secrets": "keeps secrets as they are", "route": "a route", "requests": "of requests",
    "http": "a status, or all requests", "redacted": "without secrets",
    "garbage": "bytes that are no HTTP", "tls": "a handshake that fails",
    // Errors.
    "url": "a URLError, by its code", "transport": "a request that got no answer",
    "decoding": "an answer that did not decode", "image": "bytes that are no image",
    "cancellation": "a CancellationError nobody asked for",
    // Time, tests and files.
    "within": "at most this long", "every": "each time that long", "tick": "how long a sign takes",
    "as": "as what", "width": "how many columns", "seed": "a number that decides chance",
    "last": "only the latest", "next": "the one that is first", "stop": "ends it",
    "off": "ends it", "caller": "the task that awaits it", "failfast": "stops at the first failure",
    "first": "the first of a window", "latest": "the latest of a window",
    "max": "how many at a time", "seconds": "as seconds since 1970",
    "milliseconds": "as milliseconds since 1970", "iso8601": "as 2026-01-31T12:00:00Z",
    "attempts": "how often it was started", "appear": "the view comes on the screen",
    "disappear": "the view goes off the screen", "marble": "a marble diagram",
    "ascii": "without Unicode's lines",
    // Signs.
    "(": "a pipe in parentheses", ")": "the end of the pipe", "|": "an operator follows",
    ",": "another one", ":": "a type follows", "=": "a value follows", "{": "fields follow",
    "}": "the end of the fields", "[": "a list of a type", "]": "the end of the list",
    "#": "an attempt, by its number", "?": "may be missing",
  ]
}
