import HTTPTypes
import MockHTTP
import RehearsalBase
import Script

/// Writes members, options and requests as JSON objects, for commands that show information under `--json`.
extension SessionHost {
  /// Makes commands that show information also report it as JSON objects.
  package func tellObjects() { stage.enter { [session] in session.output.objects = [] } }

  /// Returns the objects since the last call.
  func takeObjects() -> [JSONLine] {
    stage.enter { [session] in
      defer { if session.output.objects != nil { session.output.objects = [] } }
      return session.output.objects ?? []
    }
  }
}

@MainActor extension JSONLine {
  /// Creates the object of a member; with its facts if requested.
  init(_ member: any Member, withFacts: Bool = false) {
    self = JSONLine("member").with("name", member.name).with("word", member.word)
      .with("declaration", member.declaration).with("state", member.stateText)
    guard withFacts else { return }
    let facts = member.facts.filter { $0.name != "state" }
    self = with("facts", .object(facts.map { .init(name: $0.name, value: .string($0.value)) }))
  }
}

extension JSONLine {
  /// Creates the object of an option, with its value and the origin of the value.
  init(_ option: SessionOption, in settings: SessionSettings) {
    self = JSONLine("setting").with("name", option.name)
      .with("value", option.text(settings.values))
      .with("origin", settings.origin(of: option).words)
  }

  init(_ entry: RequestLog.Entry) {
    self = JSONLine("request").with("id", entry.id).with("method", entry.method.rawValue)
      .with("path", entry.path).with("member", entry.scope).with("route", entry.route)
      .with("status", entry.status).with("problem", entry.fault?.rawValue)
      .with("bytes", entry.bytesSent).with("fate", "\(entry.fate)")
    guard entry.isInVirtualTime else { return }
    self = with("received", entry.received)
    if let ended = entry.ended { self = with("ended", ended) }
  }
}
