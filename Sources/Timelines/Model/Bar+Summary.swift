/// Writes the label of an attempt in pictures: its number, kind and outcome.
extension TimelineModel.Bar {
  /// The number as a picture shows it, `#1`, or an empty text.
  var tag: String { number.map { "#\($0)" } ?? "" }

  /// The number and the kind of process: `#1 save`.
  var longTag: String { [tag, process ?? ""].filter { !$0.isEmpty }.joined(separator: " ") }

  /// The width of the tag in columns.
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

  /// The attempt in a few words, for pictures that show it in full: `#1 save "new"`.
  var summary: String {
    let label = marks.last { $0.label != nil }?.label
    return [isValue && longTag.isEmpty ? "true" : longTag, label ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The last mark.
  var outcome: EventMark? { end == nil ? .open : marks.last?.mark }
}
