/// The approximate size of a part of a route as a command, in bytes. It is rather too large,
/// because a command escapes quotes and other characters.
extension ScriptedAnswer {
  var approximateSize: Int {
    guard case .response(let response) = outcome else { return 100 }
    let headers = response.headers.reduce(0) {
      $0 + 10 + $1.name.utf8.count + 2 * $1.value.utf8.count
    }
    return 100 + headers + 2 * (response.body.type ?? "").utf8.count + response.body.approximateSize
  }
}

extension ScriptedBody {
  fileprivate var approximateSize: Int {
    switch content {
    case .empty, .filler: 20
    case .text(let text), .json(let text): 20 + 2 * text.utf8.count
    case .bytes(let bytes): 20 + 2 * bytes.count
    case .file(let name, _): 20 + name.utf8.count
    }
  }
}

extension RequestPattern.BodyCondition {
  var text: String {
    switch self {
    case .contains(let text), .json(let text): text
    }
  }
}
