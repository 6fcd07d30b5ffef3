import Loading
import RehearsalBase
import Script

/// The members of a session in the order of their creation, and the types that its shapes declare.
@MainActor final class SessionMembers {
  private(set) var all: [any Member] = []
  private var indices: [String: Int] = [:]
  private(set) var shapes: [(name: String, type: ValueType)] = []
  private var slots: [String: LoadSlot] = [:]

  subscript(name: String) -> (any Member)? { indices[name].map { all[$0] } }

  func contains(_ member: any Member) -> Bool { all.contains { $0 === member } }

  func add(_ member: any Member) {
    indices[member.name] = all.count
    all.append(member)
  }

  func remove(_ leaving: Set<ObjectIdentifier>) {
    all.removeAll { leaving.contains(ObjectIdentifier($0)) }
    indices = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
  }

  func removeAll() { (all, indices) = ([], [:]) }

  /// Throws if a member has this name.
  func requireFree(_ name: Located<String>) throws(Diagnostic) {
    guard let member = self[name.value] else { return }
    throw Diagnostic(
      .memberExists(name.value, what: member.word),
      at: name.span,
      hint: "'forget \(name.value)' makes the name free"
    )
  }

  /// Returns the diagnostic for a name that no member has.
  ///
  /// - Parameters:
  ///   - name: the unknown name.
  ///   - words: other words that are valid there.
  ///   - verb: a command that creates such a member.
  /// - Returns: the diagnostic, with a hint.
  func unknown(_ name: Located<String>, or words: [String], madeBy verb: String) -> Diagnostic {
    let some = all.prefix(5).map(\.name).joined(separator: ", ") + (all.count > 5 ? ", …" : "")
    let isReserved =
      ReservedWords.forMembers[name.value] != nil || name.value.utf8.first?.isDigit == true
    let advice =
      switch (all.isEmpty, isReserved) {
      case (true, true):
        "'\(name.value)' cannot be a name; create a member, as in '\(verb) profile'"
      case (true, false): "create one, as in '\(verb) \(name.value)'"
      case (false, true): "'\(name.value)' cannot be a name; write the name of a member: \(some)"
      case (false, false) where ["all", "*", "everything", "each"].contains(name.value):
        "write one name: \(some)"
      case (false, false): "'list' shows all members; '\(verb) \(name.value)' creates one"
      }
    let hint = Hint.nearest(to: name.value, in: all.map(\.name) + words) ?? .general(advice)
    return Diagnostic(.unknownMember(name.value.printable(atMost: 30)), at: name.span, hint)
  }

  /// The attempts in flight of the first few members that have any, as text.
  var flight: String {
    let busy = all.filter { !$0.liveAttempts.isEmpty }
    if busy.isEmpty { return "" }
    let texts = busy.prefix(5).map { member in
      member.name + " " + member.liveAttempts.prefix(5).map(\.description).joined(separator: ", ")
    }
    return texts.joined(separator: "; ") + (busy.count > 5 ? "; …" : "")
  }

  /// The tasks of the live attempts, each with its label: `feed #1`.
  var tasksOfAttempts: [(task: Task<Void, Never>, label: String)] {
    all.flatMap { member in
      let (live, own) = (member.liveAttempts, member.attemptTasks)
      return own.indices.map { index in
        let number = own.count == live.count ? " #\(live[index].number)" : ""
        return (own[index], member.name + number)
      }
    }
  }

  /// Returns the task slot of a member's property, for the policies with one slot per property.
  ///
  /// `left.profile` and `right.profile` are one property of two instances. Under `processed` both
  /// use one slot, as the original does; under every other policy it is ignored.
  func slot(for name: String) -> LoadSlot? {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let property = String(name[name.index(after: dot)...])
    if let slot = slots[property] { return slot }
    let slot = LoadSlot()
    slots[property] = slot
    return slot
  }

  // MARK: Shapes

  func addShape(_ name: String, _ type: ValueType) { shapes.append((name, type)) }

  /// The names of all types: the basic ones, then the shapes.
  var typeNames: [String] { ValueType.basic.map(\.name) + shapes.map(\.name) }
}
