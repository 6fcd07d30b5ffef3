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

  var place: PendingPlace { PendingPlace(folder: pending) }
}
