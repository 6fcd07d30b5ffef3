/// Writes a number with its noun: `1 file`, `2 files`.
extension String {
  /// Returns a number with this noun: `"file".counted(2)` is `2 files`.
  package func counted(_ count: Int) -> String { "\(count) \(self)\(count == 1 ? "" : "s")" }
}
