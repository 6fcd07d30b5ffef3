import Harness
import Rehearsal

/// Searches for a shell, which has threads and so cannot make workers: this program does it, in a process of its own.
struct SearchProcess: SearchShelter {
  private let program: String

  /// Nil where the system does not say which program this is.
  init?() {
    guard let path = ThisProgram.path else { return nil }
    program = path
  }

  func told(
    _ search: SessionSearch,
    _ patience: (_ words: String?) -> SearchPatience
  ) -> SessionSearch.Told? {
    let run = ProgramRun(
      program: program,
      arguments: [SearchServiceCommand.name],
      folder: ".",
      input: search.bytes,
      hearsErrors: false
    )
    guard let run else { return nil }
    var received: [UInt8] = []
    var words: String?
    var isEnding = false
    var told: SessionSearch.Told?
    while let bytes = run.read(withinMilliseconds: 50) {
      received += bytes
      while let frame = CrewFrame.take(from: &received) {
        switch SearchNews(frame) {
        case .progress(let text): words = text
        case .end(let end): told = end
        case nil: break
        }
      }
      switch patience(words) {
      case .goesOn: break
      case .ends:
        if !isEnding { run.interrupt() }
        isEnding = true
      case .hasEnded:
        run.kill()
        return nil
      }
      words = nil
    }
    let end = run.end()
    if told != nil || end == .status(Int(ProgramExit.harness.rawValue)) { return told }
    let sentence = TranscriptProblem(end).sentence
    return .init(text: "error: the process that searched \(sentence)", isGood: false)
  }
}

/// What a process that searches for a shell says, bit by bit.
enum SearchNews {
  /// How far it has come.
  case progress(String)
  case end(SessionSearch.Told)

  var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .progress(let text):
      writer.write(0)
      writer.write(text)
    case .end(let told):
      writer.write(1)
      writer.write(told.text)
      writer.write(told.isGood ? 1 : 0)
      writer.write(told.hasCheckedEnd ? 1 : 0)
    }
    return writer.bytes
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let kind = reader.number(), let text = reader.text() else { return nil }
    guard kind != 0 else {
      self = .progress(text)
      return
    }
    guard let isGood = reader.number(), let hasCheckedEnd = reader.number() else { return nil }
    self = .end(.init(text: text, isGood: isGood == 1, hasCheckedEnd: hasCheckedEnd == 1))
  }
}
