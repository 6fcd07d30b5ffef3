import Rehearsal
import Staging

@main struct Rehearse {
  static func main() {
    let stage = Stage()
    stage.enter {
      let session = Session(stage: stage, files: DiskFiles()) { print("  " + $0) }
      while let line = readLine() {
        print("> " + line)
        if !session.perform(line) { break }
      }
      session.end()
    }
  }
}
