import Rehearsal

extension Scene {
  static let processed = Scene(
    "processed",
    "The demos of Processed, each with the property wrappers and with the class's protocol.",
    details: [
      "'basic.load' loads numbers in 2s, 'basic.stream' counts from 1 to 5, one per second; 'basic.cancel' and 'basic.reset' end it. 'refreshable.appear' loads posts in 2s, and 'refreshable.refresh' reloads them silently: the old ones stay visible. 'restartable.start' ticks once a second without end, 'restartable.interfere' breaks the stream, and 'restartable.retry' restarts it.",
      "'loadable-interrupts.load' and 'process-interrupts.run' take 10s: after 2s, a note says that this is longer than expected; after 5s, a timeout ends them. 'simple.succeed' and 'simple.fail' succeed and fail after 2s.",
      "'shared.press save' and 'shared.press delete' run one process of two kinds for 2s each; no button is enabled while one of them runs. 'alert.delete' fails after 1s the first time and shows an alert; 'alert.try-again' and 'alert.dismiss' are its buttons.",
      "Everything exists twice: @Loadable loads 'basic.numbers', and LoadableSupport loads 'class.basic.numbers', with commands such as 'class.basic.load'. Both behave the same. 'policy basic.numbers processedWrapper' and 'policy class.basic.numbers processed' switch to the behaviour of Processed itself.",
    ]
  ) { scene in
    scene.addLoadableDemos()
    scene.addProcessDemos()
  }
}

extension SceneBuilder {
  fileprivate func addLoadableDemos() {
    add(BasicWrapperDemo(), "basic")
    add(BasicClassDemo(), "class.basic")
    add(RefreshableWrapperDemo(), "refreshable")
    add(RefreshableClassDemo(), "class.refreshable")
    add(RestartableWrapperDemo(), "restartable")
    add(RestartableClassDemo(), "class.restartable")
    add(LoadableInterruptsWrapperDemo(), "loadable-interrupts")
    add(LoadableInterruptsClassDemo(), "class.loadable-interrupts")
  }

  fileprivate func addProcessDemos() {
    add(ProcessInterruptsWrapperDemo(), "process-interrupts")
    add(ProcessInterruptsClassDemo(), "class.process-interrupts")
    add(SimpleProcessWrapperDemo(), "simple")
    add(SimpleProcessClassDemo(), "class.simple")
    add(SharedProcessWrapperDemo(), "shared")
    add(SharedProcessClassDemo(), "class.shared")
    add(FailureAlertWrapperDemo(), "alert")
    add(FailureAlertClassDemo(), "class.alert")
  }

  private func add(_ demo: any BasicDemo, _ name: String) {
    loadable("\(name).numbers", demo.numbersDriver)
    command("\(name).load", "Loads numbers in 2s.") { demo.load() }
    command("\(name).stream", "Counts to five, one per second.") { demo.stream() }
    command("\(name).cancel", "Cancels that.") { demo.cancel() }
    command("\(name).reset", "Cancels the load and clears the numbers.") { demo.reset() }
  }

  private func add(_ demo: any RefreshableDemo, _ name: String) {
    loadable("\(name).posts", demo.postsDriver)
    command("\(name).appear", "Shows the list, which loads its posts.") { await demo.appear() }
    command("\(name).refresh", "Refreshes the list.") { await demo.refresh() }
  }

  private func add(_ demo: any RestartableDemo, _ name: String) {
    loadable("\(name).ticks", demo.ticksDriver)
    command("\(name).start", "Ticks once a second.") { demo.start() }
    command("\(name).interfere", "Breaks the stream.") { demo.interfere() }
    command("\(name).retry", "Begins again.") { demo.start() }
  }

  private func add(_ demo: any LoadableInterruptsDemo, _ name: String) {
    loadable("\(name).numbers", demo.numbersDriver)
    property("\(name).note") { demo.note }
    command("\(name).load", "Loads numbers in 10s, which is too long.") { demo.load() }
  }

  private func add(_ demo: any ProcessInterruptsDemo, _ name: String) {
    process("\(name).job", demo.jobDriver)
    property("\(name).note") { demo.note }
    command("\(name).run", "Runs a job of 10s, which is too long.") { demo.run() }
  }

  private func add(_ demo: any SimpleProcessDemo, _ name: String) {
    process("\(name).job", demo.jobDriver)
    command("\(name).succeed", "Runs a job that succeeds after 2s.") { demo.runSuccess() }
    command("\(name).fail", "Runs a job that fails with 500 after 2s.") { demo.runFailure() }
    command("\(name).reset", "Clears the result.") { demo.reset() }
  }

  private func add(_ demo: any SharedProcessDemo, _ name: String) {
    process("\(name).account", demo.accountDriver)
    command("\(name).press", "Presses a button.", .choice("BUTTON")) { try demo.press($0) }
  }

  private func add(_ demo: any FailureAlertDemo, _ name: String) {
    process("\(name).account", demo.accountDriver)
    property("\(name).alert") { demo.alert }
    command("\(name).delete", "Deletes the account, which fails once.") { demo.delete() }
    command("\(name).try-again", "Presses the alert's button.") { demo.tryAgain() }
    command("\(name).dismiss", "Closes the alert.") { demo.dismiss() }
  }
}
