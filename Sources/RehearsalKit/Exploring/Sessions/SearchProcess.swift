import Harness
import Rehearsal
import RehearsalBase
import Workers

/// A search for a session in another process of this program, because a shell has threads and cannot fork workers.
struct SearchProcess: IsolatedSearch {
  private let program: String

  /// Creates a search; nil if the system does not report the path of the program.
  init?() {
    guard let path = ThisProgram.path else { return nil }
    program = path
  }

  func rendered(
    _ search: SessionSearch,
    _ control: (_ words: String?) -> SearchControl
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
      switch control(words) {
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
    return .init(lines: [.error("the search process \(sentence)")], isGood: false)
  }
}

/// A message from the search process to the shell.
enum SearchNews: Codable {
  case progress(String)
  case end(SessionSearch.Rendered)
}
