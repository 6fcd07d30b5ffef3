/// The processor time that a process or thread has used, and whether it is ready to run.
package struct ProcessActivity: Equatable {
  /// Processor time since its start, in milliseconds. The system counts in steps of about 10 ms.
  package var ran: Int
  /// Whether one of its threads runs or is ready to run. Otherwise all wait: for a lock, a socket, another process.
  package var isReady: Bool

  package init(ran: Int, isReady: Bool) {
    (self.ran, self.isReady) = (ran, isReady)
  }

  /// Returns the activity of a process; nil if it has ended or the system does not report it.
  package static func of(_ process: pid_t) -> ProcessActivity? {
    ProcessStatus("/proc/\(process)/stat")?.activity(of: process)
  }

  /// Returns the activity of a thread of this process; nil if it has ended or the system does not report it.
  package static func ofThread(_ thread: Int32) -> ProcessActivity? {
    ProcessStatus("/proc/self/task/\(thread)/stat").map {
      ProcessActivity(ran: $0.ran, isReady: $0.isReady)
    }
  }

  /// Returns the processor time of this process, and whether a thread of it except the calling one is ready to run.
  package static func besidesThisThread() -> ProcessActivity {
    let this = thisThread
    let isReady = numbers(in: "/proc/self/task").contains {
      $0 != this && ofThread($0)?.isReady == true
    }
    return ProcessActivity(ran: ProcessStatus("/proc/self/stat")?.ran ?? 0, isReady: isReady)
  }

  /// The id of the calling thread for `ofThread`; nil if the system has none.
  package static var thisThread: Int32? {
    // A link to the thread's folder: "1234/task/1240".
    var link = [UInt8](repeating: 0, count: 64)
    let count = readlink("/proc/thread-self", &link, link.count)
    let name = link.prefix(max(0, count)).split(separator: UInt8(ascii: "/")).last
    return name.flatMap { pid_t(String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns the activity of a process and of its descendants, by their ids.
  package static func ofTree(_ root: pid_t) -> [pid_t: ProcessActivity] {
    let status = allStatus
    let children = Dictionary(grouping: status.keys) { status[$0]?.parent ?? 0 }
    var found: [pid_t: ProcessActivity] = [:]
    var open = [root]
    while let process = open.popLast() {
      guard found[process] == nil, let status = status[process] else { continue }
      found[process] = status.activity(of: process)
      open += children[process] ?? []
    }
    return found
  }

  /// Returns the processes that a process has to wait for; none if the system does not report them.
  package static func children(of process: pid_t) -> [pid_t] {
    allStatus.filter { $0.value.parent == process }.keys.sorted()
  }

  /// All visible processes, by their ids.
  private static var allStatus: [pid_t: ProcessStatus] {
    var status: [pid_t: ProcessStatus] = [:]
    for process in numbers(in: "/proc") { status[process] = ProcessStatus("/proc/\(process)/stat") }
    return status
  }

  /// The names in a folder that are numbers.
  fileprivate static func numbers(in path: String) -> [pid_t] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var numbers: [pid_t] = []
    while let entry = readdir(folder) {
      let number = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        pid_t(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
      }
      if let number { numbers.append(number) }
    }
    return numbers
  }
}

/// The fields of the file `stat` that Linux has for a process or thread.
private struct ProcessStatus {
  let parent: pid_t
  let isReady: Bool
  /// The processor time in milliseconds.
  let ran: Int
  let threads: Int

  init?(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 512)
    let count = Descriptor.read(file, &text, text.count)
    // The name is first, in parentheses, and may contain any character.
    guard count > 0, let name = text[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[(name + 1)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 17 else { return nil }
    let number = { (index: Int) in Int(String(decoding: fields[index], as: UTF8.self)) ?? 0 }
    isReady = fields[0].first == UInt8(ascii: "R")
    parent = pid_t(truncatingIfNeeded: number(1))
    ran = (number(11) + number(12)) * 1_000 / max(1, Int(sysconf(Int32(_SC_CLK_TCK))))
    threads = number(17)
  }

  /// The state is that of the first thread; the time is that of all threads.
  func activity(of process: pid_t) -> ProcessActivity {
    let folder = "/proc/\(process)/task"
    let isReady =
      isReady
      || threads > 1
        && ProcessActivity.numbers(in: folder).contains {
          ProcessStatus("\(folder)/\($0)/stat")?.isReady == true
        }
    return ProcessActivity(ran: ran, isReady: isReady)
  }
}
