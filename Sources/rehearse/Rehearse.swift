import RehearsalKit
import Scenes

/// The program `rehearse`: the shell with the systems that come with it.
@main struct Rehearse: RehearsalProgram {
  static let name = "rehearse"
  static let scenes = Scenes.all
}
