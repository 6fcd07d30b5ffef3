import LibC
import RehearsalBase

/// A file with its pending result: carries out decisions about it, and refuses a file that has changed.
package struct PendingFile: Sendable {
  /// The file.
  package let path: String
  /// The path of its pending result.
  package let place: String
  /// The differences to decide, in the order of the file; at least one.
  package let hunks: [PendingHunk]

  private let failing: [Int]
  private let old: OutputRegions
  private let new: OutputRegions
  /// The last known content on the disk.
  private var present: [UInt8]

  /// Reads a file and its pending result.
  ///
  /// - Throws: why there is nothing to decide.
  package init(path: String, place: String) throws(PendingProblem) {
    (self.path, self.place) = (path, place)
    let result = try Self.result(place)
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.read(path)
    } catch {
      throw error.isAbsence ? .orphaned : .unreadable(error)
    }
    guard result.fits(bytes) else { throw bytes == result.content ? .empty : .changed }
    old = OutputRegions(path: path, bytes: bytes)
    new = OutputRegions(path: path, bytes: result.content)
    present = bytes
    guard old.differOnlyInOutput(from: new) else { throw .unfit }
    let (old, new) = (old, new)
    let differing = old.regions.indices.filter { old.text($0) != new.text($0) }
    guard !differing.isEmpty else { throw .empty }
    let moved =
      result.moved.count == differing.count
      ? result.moved : Array(repeating: 0, count: differing.count)
    failing = result.failing
    hunks = zip(differing, moved).map { index, moved in
      PendingHunk(
        region: index,
        old: old.regions[index],
        new: new.regions[index],
        moved: moved,
        fails: result.failing.contains(index)
      )
    }
    guard hunks.allSatisfy({ $0.lines.lowerBound > 0 }) else { throw .noResult }
  }

  private static func result(_ place: String) throws(PendingProblem) -> PendingResult {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.read(place)
    } catch {
      throw error == .notAFile ? .notAFile : .unreadable(error)
    }
    guard let result = PendingResult(bytes: bytes) else { throw .noResult }
    return result
  }

  /// Writes the file with the decisions, then the pending result with the remaining differences, or removes it.
  ///
  /// Every call applies all decisions to the original file, so a decision can be undone after it was written.
  ///
  /// - Parameter decisions: one for each hunk; nil for an open one.
  /// - Throws: `changed` if another program has written the file in the meantime; then nothing is written.
  package mutating func carryOut(_ decisions: [PendingDecision?]) throws(PendingProblem) {
    let lock = FolderLock(ofFile: path)
    defer { lock?.unlock() }
    let content = old.replacing(regions(of: .accept, in: decisions))
    try checkPresent(or: content)
    let wanted = old.replacing(
      regions(of: .accept, in: decisions).merging(regions(of: nil, in: decisions)) { $1 }
    )
    do throws(FileProblem) {
      // The file first: if that fails, the pending result must still exist.
      if content != present { try AtomicFile.write(content, to: path, replacing: present) }
      present = content
      if wanted == content {
        try Self.unlinkResult(place)
      } else {
        let result = PendingResult(
          base: FNV1a.hash(content),
          content: wanted,
          moved: moved(after: decisions),
          failing: failing
        )
        try AtomicFile.write(result.bytes, to: place)
      }
    } catch {
      throw error == .changed ? .changed : .unreadable(error)
    }
  }

  /// Removes a pending result, even a damaged one. Does nothing if it does not exist.
  package static func remove(_ place: String) throws(PendingProblem) {
    do throws(FileProblem) { try unlinkResult(place) } catch { throw .unreadable(error) }
  }

  private static func unlinkResult(_ place: String) throws(FileProblem) {
    guard unlink(place) != 0, errno != ENOENT else { return }
    throw errno == EACCES || errno == EPERM ? .notWritable : FileProblem(errno: errno)
  }

  /// Checks that the file is unchanged, or already has the new content, for example through another name.
  private mutating func checkPresent(or content: [UInt8]) throws(PendingProblem) {
    do throws(FileProblem) {
      let bytes = try FileBytes.read(path)
      if bytes == content { present = content }
      if bytes == present { return }
    } catch {
      throw error.isAbsence ? .orphaned : .unreadable(error)
    }
    throw .changed
  }

  /// Returns for each open hunk the distance from its line in the run.
  private func moved(after decisions: [PendingDecision?]) -> [Int] {
    var added = 0
    var moved: [Int] = []
    for (hunk, decided) in zip(hunks, decisions) {
      switch decided {
      case nil: moved.append(hunk.moved - added)
      case .accept: added += lineCount(new, hunk) - lineCount(old, hunk)
      case .reject: break
      }
    }
    return moved
  }

  private func lineCount(_ regions: OutputRegions, _ hunk: PendingHunk) -> Int {
    regions.text(hunk.region).count { $0 == .lineFeed }
  }

  /// Returns the output of the hunks with a decision.
  private func regions(
    of decision: PendingDecision?,
    in decisions: [PendingDecision?]
  ) -> [Int: ArraySlice<UInt8>] {
    var result: [Int: ArraySlice<UInt8>] = [:]
    for (hunk, decided) in zip(hunks, decisions) where decided == decision {
      result[hunk.region] = new.text(hunk.region)
    }
    return result
  }
}

extension PendingFile {
  /// Returns decisions for the selected hunks; the others stay open.
  ///
  /// - Parameters:
  ///   - decision: the decision for the selected hunks.
  ///   - lines: lines of commands or of their output; empty for the whole file.
  /// - Returns: a decision for each hunk, and the lines at which nothing is pending.
  package func decisions(
    _ decision: PendingDecision,
    atLines lines: [Int]
  ) -> (decisions: [PendingDecision?], unknown: [Int]) {
    let decisions = hunks.map { hunk in
      lines.isEmpty || lines.contains(where: hunk.lines.contains) ? decision : nil
    }
    let unknown = lines.filter { line in !hunks.contains { $0.lines.contains(line) } }
    return (decisions, unknown)
  }
}
