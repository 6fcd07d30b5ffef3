import LibC
import Workers

/// Detects that something may have changed in folders. Stamps then show what it was.
///
/// Uses the notifications of the system if they are available and reliable, otherwise it polls.
final class FolderWatch {
  /// Maximum number of watched folders, because all programs share the system's notifications.
  static let folderLimit = 16_384

  /// Why this watch has to poll.
  enum Reason: Equatable {
    case noNotices
    case tooManyFolders(Int)
    /// A file system that others can change without a notification.
    case shared(String)
    case refused(Int32)

    /// A note for the user; nil if polling is normal on this system.
    var note: String? {
      switch self {
      case .noNotices: nil
      case .tooManyFolders(let count): "\(count) folders are too many for change notifications"
      case .shared(let type): "a file system of type \(type) does not report all changes"
      case .refused(ENOSPC): "no watches are left, see /proc/sys/fs/inotify/max_user_watches"
      case .refused(EMFILE): "no watchers are left, see /proc/sys/fs/inotify/max_user_instances"
      case .refused(let code): FileProblem(errno: code).sentence
      }
    }
  }

  let folders: Set<String>
  /// Single entries of other folders that are also watched.
  let entries: [String: Set<String>]
  /// Readable when something may have changed; nil if polling is needed.
  private(set) var descriptor: Int32?
  /// Why there is no descriptor.
  private(set) var reason: Reason?
  /// Whether folders were added, removed or moved, so that a new watch is needed.
  private(set) var isStale = false
  /// The folders by the numbers in notifications.
  private var names: [Int32: String] = [:]

  /// The only watched names in some folders, by the numbers in notifications.
  private var onlyNames: [Int32: Set<String>] = [:]

  /// Starts to watch. Earlier changes are not detected, so check the files once after this.
  init(folders: Set<String>, entries: [String: Set<String>] = [:], looking: Bool = false) {
    self.folders = folders
    self.entries = entries
    #if canImport(Darwin)
    reason = .noNotices
    #else
    reason = looking ? .noNotices : listen()
    #endif
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  #if !canImport(Darwin)
  private func listen() -> Reason? {
    let count = folders.count + entries.count
    if count > Self.folderLimit { return .tooManyFolders(count) }
    if let type = SharedFileSystems().type(of: folders) { return .shared(type) }
    let notices = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard notices >= 0 else { return .refused(errno) }
    let kinds =
      IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ATTRIB
      | IN_DELETE_SELF | IN_MOVE_SELF
    // Folders last: a folder that is in both lists is watched as a whole.
    for (folder, isWhole) in entries.keys.map({ ($0, false) }) + folders.map({ ($0, true) }) {
      let watch = inotify_add_watch(notices, folder, UInt32(kinds) | UInt32(IN_ONLYDIR))
      // For a folder that no longer exists, the parent folder gets the notification.
      if watch < 0, errno == ENOSPC || errno == ENOMEM {
        let code = errno
        close(notices)
        return .refused(code)
      }
      guard watch >= 0 else { continue }
      names[watch] = folder
      if isWhole {
        onlyNames[watch] = nil
      } else {
        onlyNames[watch, default: []].formUnion(entries[folder] ?? [])
      }
    }
    descriptor = notices
    return nil
  }
  #endif

  /// Sleeps until there are notifications, with a time limit. Returns whether there are any.
  func sleep(milliseconds: Int) -> Bool {
    var polled = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Int32(clamping: milliseconds)) > 0
  }

  /// Reads the notifications. Returns whether any of them may be relevant.
  func takeNotices() -> Bool {
    var matters = false
    #if !canImport(Darwin)
    guard let descriptor else { return false }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Descriptor.read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      bytes[..<count].withUnsafeBytes { if take($0) { matters = true } }
    }
    #endif
    return matters
  }

  #if !canImport(Darwin)
  private func take(_ notices: UnsafeRawBufferPointer) -> Bool {
    var matters = false
    var rest = notices[...]
    let size = MemoryLayout<inotify_event>.size
    while rest.count >= size {
      let notice = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: inotify_event.self)
      let name = rest.dropFirst(size).prefix(Int(notice.len)).prefix { $0 != 0 }
      if take(notice, name) { matters = true }
      rest = rest.dropFirst(size + Int(notice.len))
    }
    return matters
  }

  private func take(_ notice: inotify_event, _ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    let name = String(decoding: name, as: UTF8.self)
    if let names = onlyNames[notice.wd], !name.isEmpty, !names.contains(name) { return false }
    let kind = Int(notice.mask)
    let ofFolders = Int(IN_Q_OVERFLOW | IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_ISDIR)
    if kind & ofFolders != 0 { isStale = true }
    guard kind & Int(IN_CREATE) != 0, kind & Int(IN_ISDIR) == 0, let folder = names[notice.wd]
    else { return true }
    // A new file is empty until its writer closes it, which causes another notification. A link is complete at once.
    var status = stat()
    let path = folder + "/" + name
    return lstat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1
  }
  #endif
}
