import Observation

@MainActor @Observable final class CounterModel {
  var count = 0
}

@main struct NoLibrary {
  static func main() { print("The model is in the executable.") }
}
