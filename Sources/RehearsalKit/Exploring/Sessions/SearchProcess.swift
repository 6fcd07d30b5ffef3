import Harness
import Rehearsal
import Workers

/// Searches for a shell, which has threads and so cannot make workers: this program does it, in a process of its own.
struct SearchProcess: IsolatedSearch {
  private let program: String

  /// Nil where the system does not say which program this is.
  init?() {
    guard let path = ThisProgram.path else { return nil }
    program = path
  }

  func rendered(
    _ search: SessionSearch,
    _ patience: (_ words: String?) -> SearchPatience
  ) -> SessionSearch.Rendered? {
    let run = ProgramRun(
      program: program,
      arguments: [ProgramName.current, SearchServiceCommand.name],
      folder: ".",
      input: MessageCoding.encode(search),
      readsErrors: false
    )
    guard let run else { return nil }
    var received: [UInt8] = []
    var words: String?
    var isEnding = false
    var rendered: SessionSearch.Rendered?
    while let bytes = run.read(withinMilliseconds: 50) {
      received += bytes
      while let news = MessageFrame.take(SearchNews.self, from: &received) {
        switch news {
        case .progress(let text): words = text
        case .end(let end): rendered = end
        }
      }
      switch patience(words) {
      case .continues: break
      case .ends:
        if !isEnding { run.interrupt() }
        isEnding = true
      case .isAbandoned:
        run.kill()
        return nil
      }
      words = nil
    }
    let end = run.end()
    if rendered != nil || end == .status(Int(ProgramExit.harness.rawValue)) { return rendered }
    let sentence = TranscriptProblem(end).sentence
    return .init(text: "error: the process that searched \(sentence)", isGood: false)
  }
}

/// A message of a process that searches for a shell.
enum SearchNews: Codable {
  case progress(String)
  case end(SessionSearch.Rendered)
}
