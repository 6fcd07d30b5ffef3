import Workers

/// The progress of one worker in shared memory. The worker writes it; the runner reads it after the worker has ended.
struct ProgressSlot {
  /// The size in bytes: numbers, then the newest output of the current command. It has room for all compared output, with
  /// the end of each line.
  static let size = headerSize + 2 * OutputLines.limitInBytes
  private static let headerSize = 64

  private let context: WorkerContext

  init(_ context: WorkerContext) { self.context = context }

  /// The position in the run of the file that is being played, or -1 between two files.
  var place: Int { self[0] - 1 }
  /// The index of the fence in its file.
  var fence: Int { self[1] }
  /// The line of the current command in the file; 0 before the first.
  var line: Int { self[2] }
  /// The hash of the file's content; 0 while it is being read.
  var content: UInt64 { UInt64(bitPattern: Int64(self[3])) }

  /// The output of the current command.
  var output: NewestLines {
    NewestLines(at: context.notes + Self.headerSize, size: Self.size - Self.headerSize)
  }

  private subscript(_ word: Int) -> Int {
    get { context.notes.load(fromByteOffset: word * 8, as: Int.self) }
    nonmutating set { context.notes.storeBytes(of: newValue, toByteOffset: word * 8, as: Int.self) }
  }

  /// Marks that no file is being played.
  func reset() {
    self[0] = 0
    begin(line: 0)
  }

  func begin(place: Int, fence: Int) {
    self[1] = fence
    self[0] = place + 1
    self[3] = 0
    begin(line: 0)
    context.beginStep()
  }

  func note(content: UInt64) { self[3] = Int(Int64(bitPattern: content)) }

  func begin(line: Int) {
    self[2] = line
    output.removeAll()
  }
}
