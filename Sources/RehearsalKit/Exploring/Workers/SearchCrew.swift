import Exploring
import Harness
import Rehearsal

/// The workers of a search, asked in its words.
final class SearchCrew {
  /// What came of a request.
  enum Reply {
    case answer(SearchAnswer)
    /// The worker was lost in one of the runs.
    case lost(LostRun)
  }

  /// A run that ended its process, or was ended with it.
  struct LostRun {
    /// Which of the runs that were asked for, counted from 0.
    let run: Int
    let replay: ReplayedRun
    /// The place of the command that was performed.
    let command: Int
    /// Whether it was ended, since it took too long.
    let isHang: Bool
  }

  private let crew: WorkerCrew
  let commands: [String]
  /// What groups came to, by their numbers, as it was told.
  private var outcomes: [UInt64: RunOutcome] = [:]

  /// - Parameters:
  ///   - script: what is performed.
  ///   - plan: what is to be searched.
  ///   - jobs: how many workers.
  ///   - limits: for each of them.
  init?(
    _ script: SearchedScript,
    _ plan: Exploration.Plan,
    jobs: Int,
    _ limits: WorkerCrew.Limits
  ) {
    commands = script.commands
    var plan = plan
    plan.patience = nil  // What is new only the whole search knows.
    let crew = WorkerCrew(count: jobs, limits: limits, noteSize: SearchNotes.size) { [plan] desk in
      let member = SearchMember(desk, plan) { watch throws(ExploredScript.Refusal) in
        try script.make(watch)
      }
      return member.answer
    }
    guard let crew else { return nil }
    self.crew = crew
  }

  var seats: Range<Int> { 0..<crew.count }

  func isIdle(_ seat: Int) -> Bool { crew.isIdle(seat) }

  func ask(_ seat: Int, _ request: SearchRequest) { crew.ask(seat, request.bytes) }

  func stop(_ seat: Int, forgetting: Bool) { crew.stop(seat, forgetting: forgetting) }

  /// How many runs were begun, also those that were done again.
  var runs: Int { seats.reduce(0) { $0 + crew.desk($1).steps } }

  /// Waits for a reply, for so long at most; nil where there is none.
  func next(withinMilliseconds limit: Int) -> (seat: Int, reply: Reply)? {
    crew.next(withinMilliseconds: limit).map { ($0.seat, reply($0.reply, of: $0.seat)) }
  }

  /// Asks, and waits for the reply.
  func reply(to request: SearchRequest) -> Reply {
    reply(crew.answer(to: request.bytes), of: 0)
  }

  private func reply(_ reply: WorkerCrew.Reply, of seat: Int) -> Reply {
    switch reply {
    case .answer(let bytes):
      guard let answer = SearchAnswer(bytes, &outcomes) else {
        preconditionFailure("A worker answers in the words of the one who asks.")
      }
      return .answer(answer)
    case .lost(let problem, let written):
      return .lost(lostRun(problem, written, SearchNotes(at: crew.desk(seat).notes)))
    }
  }

  private func lostRun(
    _ problem: TranscriptProblem,
    _ written: [String],
    _ notes: SearchNotes
  ) -> LostRun {
    let choices = notes.choices
    let outcome = RunOutcome(loss: problem, in: command(notes.command), written)
    let isHang = if case .slow = problem { true } else { false }
    return LostRun(
      run: max(0, notes.run),
      replay: ReplayedRun(choices: choices.choices, counts: choices.counts, outcome: outcome),
      command: notes.command,
      isHang: isHang
    )
  }

  /// Behind the last command time goes on until nothing is left to do.
  private func command(_ place: Int) -> String {
    commands.indices.contains(place) ? commands[place] : "settle"
  }
}

extension RunOutcome {
  /// So many of the lines that a process wrote are told.
  private static let mostLines = 10

  /// What a run came to that ended its process.
  init(loss problem: TranscriptProblem, in command: String, _ written: [String]) {
    let sentence: String
    if case .exited(let status) = problem {
      sentence = "ended the process, with status \(status)"
    } else {
      sentence = problem.sentence
    }
    // Addresses are others in each process.
    let words = written.prefix { !$0.hasPrefix("Current stack trace") }.prefix(Self.mostLines)
    let lines = ["error: " + sentence] + words.map { "the process wrote: \($0)" }
    self.init(
      seen: lines,
      counted: [],
      failure: RunFailure(rule: "'\(command)' \(sentence)", what: lines.joined(separator: "\n"))
    )
  }
}
