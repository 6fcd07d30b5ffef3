/// Prints the files of `test --list`, with names and tags; reports those that could not be played.
extension TranscriptRunner {
  /// Prints the selected files, one a line, with the names and tags of their transcripts.
  ///
  /// - Returns: `usage` if any of them could not be played.
  package func list(paths: [String], output: (String) -> Void) -> ProgramExit {
    let plan: RunPlan
    do throws(RunPlan.Refusal) {
      plan = try self.plan(paths)
    } catch {
      complain(of: RunReport(problems: error.problems, hint: error.hint), output)
      return .usage
    }
    var exit = ProgramExit.success
    for entry in plan.entries {
      for transcript in Transcripts.chosen(of: entry) {
        if let (line, sentence) = transcript.obstacle {
          let place = FailureText.quoted(transcript.path) + (line > 0 ? ":\(line)" : "")
          complain("\(place): \(sentence)", output)
          exit = .usage
          continue
        }
        output(options.json ? transcript.listedJSON : transcript.listed)
      }
    }
    return exit
  }
}

extension Transcript {
  /// Why the file could not be played, with the line or 0 for the whole file; nil if it could.
  fileprivate var obstacle: (line: Int, sentence: String)? {
    if let problem { return (fence > 0 ? firstLine - 1 : 0, problem.sentence) }
    return firstStray.map { ($0.line, $0.sentence) }
  }

  /// A line of the list: place, name, tags.
  fileprivate var listed: String {
    let place = FailureText.visible("\(path)" + (fence > 0 ? ":\(firstLine)" : ""))
    let name = name.map { "  # " + FailureText.visible($0) } ?? ""
    let tags = tags.isEmpty ? "" : "  [" + FailureText.visible(tags.joined(separator: ", ")) + "]"
    return place + name + tags + "\n"
  }

  fileprivate var listedJSON: String {
    let line = JSONLine("transcript").with("path", path).with("fence", fence > 0 ? fence : nil)
      .with("name", name)
    return (tags.isEmpty ? line : line.with("tags", tags)).text
  }
}
