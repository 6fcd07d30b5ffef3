import PublishedScenes
import RehearsalKit

/// The program `rehearse`, with the seeds' scenes as their authors wrote them.
@main struct RehearsePublished: RehearsalProgram {
  static let name = "rehearse-published"
  static let scenes = PublishedScenes.all
}
