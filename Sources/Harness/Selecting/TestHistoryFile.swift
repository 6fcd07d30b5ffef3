import RehearsalBase

/// Where the history of runs is kept.
package struct TestHistoryFile: Sendable {
  /// How many files are known before, with one more, somebody looks which of them are still there.
  private static let tidyLimit = 10_000
  private static let limitInBytes = 64 << 20

  package let path: String
  /// Whether somebody named the file, rather than finding it in its usual place.
  package let isNamed: Bool

  package init(path: String, isNamed: Bool) {
    self.path = path
    self.isNamed = isNamed
  }

  /// The usual place for runs that are started in the current folder.
  ///
  /// - Parameter folder: of the state of all runs.
  package init(in folder: String) {
    let name = String(FNV1a.hash(PathKey.currentFolder.utf8), radix: 16)
    self.init(path: folder + "/" + name, isNamed: false)
  }

  /// What lies at the path.
  private enum Content {
    case history(TestHistory)
    /// It begins as a history does, and goes on as none.
    case damaged
    /// Somebody else's work, perhaps by a slip of the one who named it.
    case foreign
    case unreadable(FileProblem)
  }

  private var content: Content {
    do throws(FileProblem) {
      let bytes = try FileBytes.readAny(path, limitInBytes: Self.limitInBytes)
      if bytes.isEmpty { return .history(TestHistory()) }
      if let history = TestHistory(bytes) { return .history(history) }
      return TestHistory.isBegun(by: bytes) ? .damaged : .foreign
    } catch {
      return error.isAbsence ? .history(TestHistory()) : .unreadable(error)
    }
  }

  /// Reads it.
  ///
  /// - Parameter isKept: whether the run adds nothing to it.
  /// - Returns: the history, and what is to be said about one that cannot be used.
  /// - Throws: a refusal where somebody named a file in which something else is: it would be lost.
  func read(isKept: Bool = false) throws(RunPlan.Refusal) -> (history: TestHistory, note: String?) {
    switch content {
    case .history(let history): return (history, nil)
    case .foreign where isNamed:
      throw refusal("\(FailureText.quoted(path)):1: this line begins no history of tests")
    case .unreadable(.tooLarge(let limit)) where isNamed:
      let sentence = FileProblem.tooLarge(limitInBytes: limit).sentence
      throw refusal("\(FailureText.quoted(path)): \(sentence), as no history of tests is")
    case .damaged, .foreign:
      let words = isKept ? "nothing of it is used" : "it is begun anew"
      return (TestHistory(), "\(FailureText.quoted(path)) is no history of tests; \(words)")
    case .unreadable(let problem): return (TestHistory(), note("read", problem))
    }
  }

  private func refusal(_ problem: String) -> RunPlan.Refusal {
    RunPlan.Refusal(
      problems: [problem],
      hint: "name what '--history' has written, or a file that is not there yet"
    )
  }

  /// Adds what a run has shown to what the file says by now, which may be more than was read.
  ///
  /// - Parameters:
  ///   - records: of the files of a run, by their places among the keys; nil for one that was not played.
  ///   - keys: of these files.
  ///   - isGone: whether another file of the history is there no more.
  /// - Returns: what is to be said where that is not possible.
  func write(
    _ records: (Int) -> TestHistory.Record?,
    of keys: [String],
    without isGone: (String) -> Bool
  ) -> String? {
    if !isNamed { try? Folder.create(Folder.parent(of: path), permissions: 0o700) }
    let lock = FolderLock(ofFile: path, mostAttempts: 2_000)
    defer { lock?.unlock() }
    let known: TestHistory
    do throws(RunPlan.Refusal) {
      known = try read().history
    } catch {
      return error.problems.first  // It was put there while the run was under way.
    }
    guard var bytes = known.bytes(adding: records, of: keys, without: isGone) else { return nil }
    // Otherwise those of a folder that nobody plays again, as of one that was temporary, would stay for good.
    if known.count > Self.tidyLimit, let grown = TestHistory(bytes), grown.count > known.count {
      bytes = grown.bytes(adding: records, of: keys) { !FileBytes.exists($0) } ?? bytes
    }
    do throws(FileProblem) {
      try AtomicFile.write(bytes, to: path, forcesToDisk: false)
      return nil
    } catch {
      return note("written", error)
    }
  }

  /// That the file is of no use; nothing where nobody asked for it, as in a container without a home.
  private func note(_ verb: String, _ problem: FileProblem) -> String? {
    isNamed
      ? "the history \(FailureText.quoted(path)) cannot be \(verb): \(problem.sentence)" : nil
  }
}
