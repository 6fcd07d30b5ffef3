import Loading

/// The task slots that members share under the policies that know one slot a property.
///
/// `left.profile` and `right.profile` are one property of two instances. Under `processed` both
/// use one slot, as the original does; under every other policy it is ignored.
@MainActor final class PropertySlots {
  private var slots: [String: LoadSlot] = [:]

  func slot(for name: String) -> LoadSlot? {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let property = String(name[name.index(after: dot)...])
    if let slot = slots[property] { return slot }
    let slot = LoadSlot()
    slots[property] = slot
    return slot
  }
}
