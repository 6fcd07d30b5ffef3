/// Why reports cannot be read or merged.
package enum ReportProblem: Error, Equatable {
  /// The file cannot be read.
  case file(String, FileProblem)
  /// A line is not JSON, or a field is missing.
  case badLine(String, line: Int, reason: String)
  /// The file is empty.
  case empty(String)
  /// The first line is not the one of a report.
  case notAReport(String)
  /// The last line is missing, so the run did not end.
  case unfinished(String)
  /// A newer program wrote it.
  case newerSchema(String, Int)
  /// Different programs or versions wrote the reports.
  case mixedVersions(String, String)
  /// Two reports have the same transcript.
  case repeated(transcript: String, String, String)
  /// Two reports are the same shard.
  case repeatedShard(String, String, index: Int, count: Int)
  /// The reports have different numbers of shards.
  case mixedShards(String, String)
  /// The reports are shards of different selections, or were divided in different ways.
  case mixedSelections(String, String)
  /// The runs of two reports read a file with different contents.
  case mixedReadings(String, String, String)
  /// One report has transition coverage, and another one does not.
  case mixedCoverage(String, String)
  /// A shard's report has no digest of its selection.
  case noDigest(String)
  /// The reports are of different searches.
  case mixedSearches(String, String)
  /// Some reports are of tests, and some of searches.
  case mixedKinds(String, String)
  /// Two reports have the same seeds.
  case repeatedSeeds(String, String)
  /// No report has these seeds.
  case missingSeeds(Range<UInt64>)
  /// Some shards are missing.
  case missingShards([Int], count: Int)

  /// The problem as text.
  package var sentence: String {
    switch self {
    case .file(let path, let problem): "\(FailureText.quoted(path)): \(problem.sentence)"
    case .badLine(let path, let line, let reason):
      "\(FailureText.quoted(path)):\(line): \(FailureText.visible(reason))"
    case .empty(let path): "\(FailureText.quoted(path)): it is empty, so its run did not begin"
    case .notAReport(let path):
      "\(FailureText.quoted(path)):1: this is not the first line of a report"
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
    case .missingSeeds(let seeds): "no report has the seeds \(Self.words(seeds))"
    case .missingShards(let missing, let count):
      "missing shards of \(count): \(missing.map(String.init).joined(separator: ", "))"
    }
  }

  /// What to do; nil if there is no advice.
  package var hint: String? {
    switch self {
    case .notAReport: "name a file that '--reporter json=FILE' or 'explore --json' wrote"
    case .empty, .unfinished: "run that part again"
    case .noDigest: "run all shards again, with this version"
    case .mixedSelections:
      "run all shards with the same files, contents, filters, history, list of known flaky transcripts, '--repeat' and '--check-determinism': the digests of 'shard' differ"
    case .mixedReadings: "run all shards with the same files"
    case .mixedCoverage: "run all parts with '--coverage', or none"
    case .newerSchema: "merge the reports with the version that wrote them"
    case .mixedVersions: "run all parts with the same program"
    case .repeated, .repeatedShard: "leave one of them out"
    case .mixedShards:
      "use the same number of shards each time: '--shard 1/4', '--shard 2/4' …"
    case .missingShards(let missing, let count):
      "run '--shard \(missing.first ?? 1)/\(count)', and name its report too"
    case .mixedSearches:
      "explore the same script in the same way: strategy, --keep-going and --disable, too"
    case .mixedKinds: "merge them separately"
    case .repeatedSeeds: "each seed belongs to one part: '--seeds 0..500', '--seeds 500..1000' …"
    case .missingSeeds(let seeds):
      "search with '--seeds \(Self.words(seeds))', and name its report too"
    case .file, .badLine: nil
    }
  }

  private static func words(_ seeds: Range<UInt64>) -> String {
    "\(seeds.lowerBound)..\(seeds.upperBound)"
  }
}
