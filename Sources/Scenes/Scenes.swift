package import Rehearsal

/// The systems that come with Rehearse, each an ordinary user of its libraries.
package enum Scenes {
  /// In the order in which `scenes` lists them.
  package static let all: [Scene] = [.remoteContent, .playground, .movies]
}
