import MockHTTP
import RemoteLoading

/// Builders of small HAR files.
enum HAR {
  static func log(_ entries: String...) -> [UInt8] {
    bytes(#"{"log": {"version": "1.2", "creator": {"name": "t"}, "entries": ["#, entries, "]}}")
  }

  private static func bytes(_ start: String, _ entries: [String], _ end: String) -> [UInt8] {
    Array((start + entries.joined(separator: ",") + end).utf8)
  }

  static func entry(
    _ method: String = "GET",
    _ url: String = "https://api.example/posts",
    sent: String = "[]",
    post: String = "null",
    status: Int = 200,
    headers: String = "[]",
    content: String = #"{"size": 0, "mimeType": "text/plain"}"#,
    timings: String = #"{"wait": 0, "receive": 0}"#,
    more: String = ""
  ) -> String {
    """
    {"startedDateTime": "2024-05-01T10:00:00.000Z", "time": 50,
     "request": {"method": "\(method)", "url": "\(url)", "httpVersion": "http/2.0",
       "headers": \(sent), "queryString": [], "cookies": [], "postData": \(post)},
     "response": {"status": \(status), "statusText": "", "headers": \(headers),
       "content": \(content), "redirectURL": "" \(more)},
     "cache": {}, "timings": \(timings)}
    """
  }

  static func json(_ text: String, type: String = "application/json") -> String {
    content(text, type: type)
  }

  static func content(_ text: String, type: String) -> String {
    #"{"size": \#(text.utf8.count), "mimeType": "\#(type)", "text": \#(quoted(text))}"#
  }

  /// Returns this number of zero bytes.
  static func binary(_ count: Int, type: String) -> String {
    let text = String(repeating: "A", count: (count * 8 + 5) / 6)
    return
      #"{"size": \#(count), "mimeType": "\#(type)", "encoding": "base64", "text": "\#(text)"}"#
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{1B}": quoted += "\\u001b"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  static func field(_ name: String, _ value: String) -> String {
    #"{"name": \#(quoted(name)), "value": \#(quoted(value))}"#
  }
}

extension RecordedExchange {
  var response: RemoteResponse? {
    switch outcome {
    case .response(let response), .responseWithoutBody(let response, size: _): response
    case .failure: nil
    }
  }

  var bodyText: String { String(decoding: response?.body ?? [], as: UTF8.self) }
}
