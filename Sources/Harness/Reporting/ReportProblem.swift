/// Why reports cannot be read or put together.
package enum ReportProblem: Error, Equatable {
  /// The file cannot be read.
  case file(String, FileProblem)
  /// A line is no JSON or lacks something.
  case badLine(String, line: Int, reason: String)
  /// Nothing is in it.
  case empty(String)
  /// It does not begin as a report does.
  case notAReport(String)
  /// It ends before the run did.
  case unfinished(String)
  /// A newer program wrote it.
  case newerSchema(String, Int)
  /// Two programs or versions wrote them.
  case mixedVersions(String, String)
  /// Two of them have the same transcript.
  case repeated(transcript: String, String, String)
  /// Two of them are the same shard.
  case repeatedShard(String, String, index: Int, count: Int)
  /// They were cut differently.
  case mixedShards(String, String)
  /// They were cut from different selections, or in different ways.
  case mixedSelections(String, String)
  /// Their runs read a file with different contents.
  case mixedReadings(String, String, String)
  /// One of them has transition coverage, and one does not.
  case mixedCoverage(String, String)
  /// It is of a shard, and does not say of which selection.
  case noDigest(String)
  /// They are of different searches.
  case mixedSearches(String, String)
  /// Some are of tests, and some of searches.
  case mixedKinds(String, String)
  /// Two of them have the same seeds.
  case repeatedSeeds(String, String)
  /// Nobody has searched by some seeds.
  case missingSeeds(Range<UInt64>)
  /// Some shards are not there.
  case missingShards([Int], count: Int)

  /// What is wrong, in words.
  package var sentence: String {
    switch self {
    case .file(let path, let problem): "\(FailureText.quoted(path)): \(problem.sentence)"
    case .badLine(let path, let line, let reason):
      "\(FailureText.quoted(path)):\(line): \(FailureText.visible(reason))"
    case .empty(let path): "\(FailureText.quoted(path)): it is empty, so its run did not begin"
    case .notAReport(let path): "\(FailureText.quoted(path)):1: this line begins no report"
    case .unfinished(let path):
      "\(FailureText.quoted(path)): it lacks its last line, so its run was stopped"
    case .newerSchema(let path, let schema):
      "\(FailureText.quoted(path)): it has schema \(schema), and this program knows up to \(JSONLine.schemaVersion)"
    case .mixedVersions(let first, let second):
      "\(FailureText.quoted(first)) and \(FailureText.quoted(second)) were written by different programs or versions"
    case .repeated(let transcript, let first, let second):
      "\(FailureText.visible(transcript)) is in \(FailureText.quoted(first)) and in \(FailureText.quoted(second))"
    case .repeatedShard(let first, let second, let index, let count):
      "\(FailureText.quoted(first)) and \(FailureText.quoted(second)) are both shard \(index)/\(count)"
    case .mixedShards(let first, let second):
      "\(FailureText.quoted(first)) and \(FailureText.quoted(second)) are not parts of one run"
    case .mixedSelections(let first, let second):
      "\(FailureText.quoted(first)) and \(FailureText.quoted(second)) are shards of different selections of transcripts"
    case .mixedReadings(let file, let first, let second):
      "the runs of \(FailureText.quoted(first)) and of \(FailureText.quoted(second)) read different contents of \(FailureText.quoted(file))"
    case .mixedCoverage(let first, let second):
      "\(FailureText.quoted(first)) and \(FailureText.quoted(second)): only one of them counts coverage"
    case .noDigest(let path):
      "\(FailureText.quoted(path)): its shard has no digest of the selected transcripts"
    case .mixedSearches(let first, let second):
      "\(FailureText.quoted(first)) and \(FailureText.quoted(second)) are of different searches"
    case .mixedKinds(let first, let second):
      "\(FailureText.quoted(first)) is of a search, and \(FailureText.quoted(second)) of tests"
    case .repeatedSeeds(let first, let second):
      "\(FailureText.quoted(first)) and \(FailureText.quoted(second)) have seeds in common"
    case .missingSeeds(let seeds): "nobody has searched by the seeds \(Self.words(seeds))"
    case .missingShards(let missing, let count):
      "of \(count) shards these are missing: \(missing.map(String.init).joined(separator: ", "))"
    }
  }

  /// What to try, where there is something to say.
  package var hint: String? {
    switch self {
    case .notAReport: "name what '--reporter json=FILE' of a run, or 'explore --json', has written"
    case .empty, .unfinished: "play that part again"
    case .noDigest: "play all shards again, with this version"
    case .mixedSelections:
      "play all shards with the same files, contents, filters, history, list of known flaky transcripts, '--repeat' and '--check-determinism': the digests of 'shard' differ"
    case .mixedReadings: "play all shards with the same files"
    case .mixedCoverage: "play all parts with '--coverage', or none"
    case .newerSchema: "put the reports together with the program that wrote them"
    case .mixedVersions: "play all parts with the same program"
    case .repeated, .repeatedShard: "leave one of them out"
    case .mixedShards:
      "cut the run into the same number of parts each time: '--shard 1/4', '--shard 2/4' …"
    case .missingShards(let missing, let count):
      "play what is missing by '--shard \(missing.first ?? 1)/\(count)', and name its report too"
    case .mixedSearches:
      "explore the same script in the same way: strategy, --keep-going and --disable, too"
    case .mixedKinds: "put them together apart from each other"
    case .repeatedSeeds: "each seed belongs to one part: '--seeds 0..500', '--seeds 500..1000' …"
    case .missingSeeds(let seeds):
      "search by them with '--seeds \(Self.words(seeds))', and name its report too"
    case .file, .badLine: nil
    }
  }

  private static func words(_ seeds: Range<UInt64>) -> String {
    "\(seeds.lowerBound)..\(seeds.upperBound)"
  }
}
