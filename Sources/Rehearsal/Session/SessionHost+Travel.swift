import RehearsalBase
import Script
import Staging

/// Travelling in time: another session takes the place of this one, in which stands what shall stand.
extension SessionHost {
  func carryOut(_ travel: Travel) {
    let hasArrived = beginAnew(by: travel)
    stage.enter { [session] in
      if hasArrived { session.arrive(by: travel) } else { session.stay() }
    }
  }

  /// Makes a session in which the commands were performed; when somebody stops that, all stays as it is.
  private func beginAnew(by travel: Travel) -> Bool {
    let (oldStage, old) = (stage, session)
    let newStage = Stage()
    let new = makeSession(newStage)
    place.stage = newStage
    willReplay?(newStage)
    guard newStage.enter({ new.replay(travel.story) }) else {
      place.stage = oldStage
      newStage.enter { new.end() }
      return false
    }
    session = new
    kept = newStage.enter { KeptPart(of: old.recording, in: new.recording) }
    newStage.enter { new.follow(old, by: travel) }
    oldStage.enter { old.end() }
    return true
  }
}

extension Session {
  func takeTravel() -> Travel? {
    if travel == nil { return nil }
    defer { travel = nil }
    return travel
  }

  /// Takes over from the session that this one replaces.
  fileprivate func follow(_ old: Session, by travel: Travel) {
    var settings = settings
    if let others = travel.settings { settings.takeOthers(of: others) }
    settings.takeOthers(of: old.settings)
    resume(settings)
    recorder = old.recorder
    old.recorder = nil
    objects = old.objects
    (pace, canFlow, audience) = (old.pace, old.canFlow, old.audience)
    let place = zip(old.log.entries, log.entries).prefix { $0.text == $1.text }.count
    recordAgain(from: place)
  }

  fileprivate func arrive(by travel: Travel) {
    undone = travel.undone
    for line in travel.words(stage.now.elapsed, nowInWords) { say(line) }
    if let command = difference(from: travel.story) {
      say("note: '\(command.printable(atMost: 40))' printed something else than the first time")
    }
  }

  fileprivate func stay() {
    hasFailed = true
    say("error: stopped on the way; nothing was undone or redone")
  }
}
