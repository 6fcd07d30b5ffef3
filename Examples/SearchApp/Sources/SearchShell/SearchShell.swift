import RehearsalKit
import SearchScenes

@main struct SearchShell: RehearsalProgram {
  static let abstract = "Try out how the search screen behaves."
  static let scenes = SearchScenes.all
}
