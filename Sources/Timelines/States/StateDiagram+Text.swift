import RehearsalBase

extension StateDiagram {
  /// The diagram for a terminal, without indentation: an arrow a line, solid with its count where it was
  /// taken, dotted where it never was.
  ///
  ///     profile: loadable latest, 2 of 70 arrows taken
  ///     absent   ──1──▶ loading  start
  ///     loading  ──1──▶ loaded   value
  ///     absent   ┄┄┄┄┄▶ absent   restart, cancel
  public func lines(width: Int = 80, style: TextTimeline.Style = .unicode) -> [String] {
    let head = headline.escapingControls.cut(toColumns: width, ellipsis: style.ellipsis)
    return [head] + arrowLines(width: width, style: style)
  }

  /// The arrows alone, those first that were taken.
  func arrowLines(width: Int, style: TextTimeline.Style = .unicode) -> [String] {
    let bundles = bundles
    let digits = bundles.map { "\($0.count)".count }.max() ?? 1
    return bundles.flatMap { lines(of: $0, digits: digits, width: width, style) }
  }

  private func lines(
    of bundle: Bundle,
    digits: Int,
    width: Int,
    _ style: TextTimeline.Style
  ) -> [String] {
    let arrow = padded(word(bundle.from)) + " " + style.arrow(bundle.count, digits: digits) + " "
    let head = arrow + padded(word(bundle.to))
    if width - head.count < 20 {
      // There is no room beside the arrow.
      return [arrow + word(bundle.to)]
        + Self.filled(bundle.words, columns: width - 4).map { "    " + $0 }
    }
    let margin = String(repeating: " ", count: head.count)
    let causes = Self.filled(bundle.words, columns: width - head.count)
    return causes.enumerated().map { ($0 == 0 ? head : margin) + $1 }
  }

  private func padded(_ word: String) -> String {
    word + String(repeating: " ", count: wordColumns - word.count)
  }

  /// As wide as the longest phase of the family, and two more.
  private var wordColumns: Int {
    2 + (Recording.Phase.allCases.map { word($0).count }.max() ?? 0)
  }
}

extension TextTimeline.Style {
  /// `──3──▶`, or `┄┄┄┄┄▶` for what was never taken; without digits a short one.
  fileprivate func arrow(_ count: Int, digits: Int) -> String {
    let (line, gap, head) = self == .unicode ? ("─", "┄", "▶") : ("-", ".", ">")
    let number = count > 0 ? "\(count)" : ""
    let right = count > 0 ? 2 : digits + 4
    let left = count > 0 ? 2 + digits - number.count : 0
    let stroke = count > 0 ? line : gap
    return String(repeating: stroke, count: left) + number
      + String(repeating: stroke, count: right) + head
  }
}
