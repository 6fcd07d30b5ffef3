import Observation

/// A playlist that keeps a song's index across an await. By then the song may have moved: another
/// song is removed, or the index is out of range and the process crashes. It is not in `Zoo.all`,
/// because it would crash the process that explores it.
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
