import RehearsalBase

/// The file that stores the history of runs: reads and writes it under a lock, and drops files that are gone.
package struct TestHistoryFile: Sendable {
  /// Number of known files above which removed files are looked for and dropped.
  private static let tidyLimit = 10_000
  private static let limitInBytes = 64 << 20

  package let path: String
  /// Whether the user named the file; otherwise it is in the default folder.
  package let isNamed: Bool

  package init(path: String, isNamed: Bool) {
    self.path = path
    self.isNamed = isNamed
  }

  /// The default file for runs that are started in the current folder.
  ///
  /// - Parameter folder: the folder of the state of all runs.
  package init(in folder: String) {
    let name = String(FNV1a.hash(PathKey.currentFolder.utf8), radix: 16)
    self.init(path: folder + "/" + name, isNamed: false)
  }

  /// The content of the path.
  private enum Content {
    case history(TestHistory)
    /// It begins like a history, but cannot be parsed.
    case damaged
    /// Another kind of file, possibly named by mistake.
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

  /// Reads the history.
  ///
  /// - Parameter isKept: whether the run does not update it.
  /// - Returns: the history, and a note about a file that cannot be used.
  /// - Throws: a refusal if the user named another kind of file, which would be overwritten.
  func read(isKept: Bool = false) throws(RunPlan.Refusal) -> (history: TestHistory, note: String?) {
    switch content {
    case .history(let history): return (history, nil)
    case .foreign where isNamed:
      throw refusal("\(FailureText.quoted(path)):1: this is not the first line of a test history")
    case .unreadable(.tooLarge(let limit)) where isNamed:
      let sentence = FileProblem.tooLarge(limitInBytes: limit).sentence
      throw refusal("\(FailureText.quoted(path)): \(sentence), so it is not a test history")
    case .damaged, .foreign:
      let words = isKept ? "it is not used" : "it is replaced"
      return (TestHistory(), "\(FailureText.quoted(path)) is not a valid test history; \(words)")
    case .unreadable(let problem): return (TestHistory(), note("read", problem))
    }
  }

  private func refusal(_ problem: String) -> RunPlan.Refusal {
    RunPlan.Refusal(
      problems: [problem],
      hint: "name a file that '--history' wrote, or one that does not exist yet"
    )
  }

  /// Merges the results of a run into the current content of the file, which another run may have changed.
  ///
  /// - Parameters:
  ///   - records: of the files of a run, in the order of the keys; nil for a file that was not played.
  ///   - keys: of these files.
  ///   - isGone: whether another file of the history no longer exists.
  /// - Returns: a note if writing failed.
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
      return error.problems.first  // Created during the run.
    }
    guard var bytes = known.bytes(adding: records, of: keys, without: isGone) else { return nil }
    // Otherwise entries of folders that are never played again, such as temporary ones, would stay for ever.
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

  /// Returns a note that the file cannot be used; nil for a default file that does not exist, as in a container without a
  /// home. From an old file, a later `--failed` would select wrong transcripts.
  private func note(_ verb: String, _ problem: FileProblem) -> String? {
    isNamed || FileBytes.exists(path)
      ? "the history \(FailureText.quoted(path)) cannot be \(verb): \(problem.sentence)" : nil
  }
}
