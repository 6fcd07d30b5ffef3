import Observation

/// A playlist that remembers across an await where a song stood. By then it may have moved: another song goes, or the
/// place is none any more, which ends the program. Among the specimens it would end those who look at them.
enum StaleIndex {
  typealias Delete = @MainActor (String) async throws -> Void

  @MainActor @Observable final class Hasty {
    private(set) var songs: [String]
    private let delete: Delete

    init(songs: [String], delete: @escaping Delete) {
      self.songs = songs
      self.delete = delete
    }

    func remove(_ song: String) async throws {
      guard let index = songs.firstIndex(of: song) else { return }
      try await delete(song)
      songs.remove(at: index)
    }
  }

  @MainActor @Observable final class Careful {
    private(set) var songs: [String]
    private let delete: Delete

    init(songs: [String], delete: @escaping Delete) {
      self.songs = songs
      self.delete = delete
    }

    func remove(_ song: String) async throws {
      try await delete(song)
      songs.removeAll { $0 == song }
    }
  }
}
