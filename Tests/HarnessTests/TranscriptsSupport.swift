import FakePerformer
import Foundation

@testable import Harness

/// Creates a transcript from its text.
func transcript(_ text: String, path: String = "a.transcript") -> Transcript {
  Transcript(path: path, bytes: Array(text.utf8))
}

/// Returns the failures of a transcript that is played with the fake performer.
func failures(_ text: String, path: String = "a.transcript") -> [TranscriptFailure] {
  transcript(text, path: path).replay { FakePerformer($0, $1) }
}

/// A folder that is removed after the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "rehearse-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Creates a folder with files, by name and content.
  convenience init(_ files: KeyValuePairs<String, String>) throws {
    try self.init()
    for (name, text) in files { try write(name, text) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ name: String, _ text: String) throws {
    try write(name, Array(text.utf8))
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = URL(fileURLWithPath: path + "/" + name)
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
