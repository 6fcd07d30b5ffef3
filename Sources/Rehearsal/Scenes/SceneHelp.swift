/// Writes the help page of a scene.
extension HelpText {
  /// Returns the help for a scene.
  static func lines(on scene: Scene, width: Int) -> [String] {
    var lines = ["scene \(scene.name)"]
    for paragraph in [scene.summary] + scene.details {
      lines += wrapped(paragraph, indent: 2, width: width)
    }
    return lines
  }
}
