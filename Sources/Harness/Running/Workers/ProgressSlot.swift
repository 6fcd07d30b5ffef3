import Workers

/// The progress of one worker. The worker writes it, and the runner reads it after the worker has ended.
struct ProgressSlot {
  /// The size in bytes: numbers, then the newest output of the present command. All output that is compared has room, each
  /// line with its end.
  static let size = headerSize + 2 * OutputLines.limitInBytes
  private static let headerSize = 64

  private let context: WorkerContext

  init(_ context: WorkerContext) { self.context = context }

  /// The place in the run whose file is being played, or -1 between two.
  var place: Int { self[0] - 1 }
  /// The index of the fence in its file.
  var fence: Int { self[1] }
  /// The line of the present command in the file; 0 before the first.
  var line: Int { self[2] }
  /// A hash of the file when it was read; 0 while it is read.
  var content: UInt64 { UInt64(bitPattern: Int64(self[3])) }

  /// The output of the present command.
  var output: NewestLines {
    NewestLines(at: context.notes + Self.headerSize, size: Self.size - Self.headerSize)
  }

  private subscript(_ word: Int) -> Int {
    get { context.notes.load(fromByteOffset: word * 8, as: Int.self) }
    nonmutating set { context.notes.storeBytes(of: newValue, toByteOffset: word * 8, as: Int.self) }
  }

  /// Notes that no file is being played.
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
