import ArgumentParser
import Harness

/// Where pending results lie.
struct PendingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Pending results lie in FOLDER, by the same paths; by default beside the files.",
      valueName: "FOLDER"
    ),
    completion: .directory
  )
  var pending: String?

  func validate() throws {
    guard let pending, !Folder.isFolder(pending.isEmpty ? "." : pending) else { return }
    throw ValidationError(
      Folder.realPath(pending) == nil
        ? "there is no folder '\(pending)' with pending results."
        : "--pending takes a folder, and '\(pending)' is none."
    )
  }

  var place: PendingPlace { PendingPlace(folder: pending) }
}
