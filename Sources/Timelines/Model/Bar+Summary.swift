extension TimelineModel.Bar {
  /// Its number as a picture shows it: `#1`, or nothing.
  var tag: String { number.map { "#\($0)" } ?? "" }

  /// Its number and the kind of process that it runs: `#1 save`.
  var longTag: String { [tag, process ?? ""].filter { !$0.isEmpty }.joined(separator: " ") }

  /// How many columns the tag takes.
  var tagColumns: Int {
    guard let number else { return 0 }
    var width = number < 0 ? 3 : 2
    var rest = number / 10
    while rest != 0 {
      width += 1
      rest /= 10
    }
    return width
  }

  /// The attempt in a few words, for pictures that write it whole: `#1 save "new"`.
  var summary: String {
    let label = marks.last { $0.label != nil }?.label
    return [longTag, label ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// What came last on it.
  var outcome: EventMark? { end == nil ? .open : marks.last?.mark }
}
