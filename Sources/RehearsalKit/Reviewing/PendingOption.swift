import ArgumentParser
import Harness

/// The option `--pending`.
struct PendingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Folder of the pending results. (default: the folder of each file)",
      valueName: "FOLDER"
    ),
    completion: .directory
  )
  var pending: String?

  func validate() throws {
    guard let pending, !Folder.isFolder(pending.isEmpty ? "." : pending) else { return }
    throw ValidationError(
      Folder.realPath(pending) == nil
        ? "there is no folder '\(pending)' with pending results"
        : "--pending takes a folder, and '\(pending)' is not one"
    )
  }

  var place: PendingPlace { PendingPlace(folder: pending) }
}
