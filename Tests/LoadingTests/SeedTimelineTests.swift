import Staging
import Testing

@testable import Loading

/// The measured timelines T1 to T13: the behaviour of Processed's classes and wrappers, and the
/// default behaviour.
@MainActor
@Suite struct SeedTimelineTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let processed: [String]
    let wrapper: [String]
    let latest: [String]
    let script: @MainActor @Sendable (Probe<LoadableState<Int>>) -> Void

    nonisolated init(
      _ name: String,
      processed: [String],
      wrapper: [String]? = nil,
      latest: [String]? = nil,
      script: @escaping @MainActor @Sendable (Probe<LoadableState<Int>>) -> Void
    ) {
      self.name = name
      self.processed = processed
      self.wrapper = wrapper ?? processed
      self.latest = latest ?? processed
      self.script = script
    }

    var testDescription: String { name }
  }

  @Test(arguments: rows) func `each measured timeline is reproduced, and fixed by default`(row: Row)
  {
    #expect(history(of: row, under: .processed) == row.processed)
    #expect(history(of: row, under: .processedWrapper) == row.wrapper)
    #expect(history(of: row, under: .latest) == row.latest)
  }

  private func history(of row: Row, under policy: LoadingPolicy) -> [String] {
    let stage = Stage()
    return stage.enter {
      let probe = Probe<LoadableState<Int>>(policy: policy, on: stage)
      row.script(probe)
      #expect(stage.settle() == .idle)
      #expect(probe.driver.liveAttempts.isEmpty)
      return probe.history
    }
  }

  nonisolated static let rows: [Row] = [
    Row("T1: a load", processed: ["0 loading", "100 loaded(1)"]) { it in
      it.load(it.coop(100, 1))
    },
    Row(
      "T2: cancelled",
      processed: ["0 loading"],
      latest: ["0 loading", "50 absent"]
    ) { it in
      it.load(it.coop(100, 1))
      it.at(50) { it.driver.cancel() }
    },
    Row("T3: reset", processed: ["0 loading", "50 absent"]) { it in
      it.load(it.coop(100, 1))
      it.at(50) { it.driver.reset() }
    },
    Row(
      "T4: cancelled, then loaded again",
      processed: ["0 loading", "150 loaded(2)"],
      latest: ["0 loading", "50 absent", "50 loading", "150 loaded(2)"]
    ) { it in
      it.load(it.coop(100, 1))
      it.at(50) {
        it.driver.cancel()
        it.load(it.coop(100, 2))
      }
    },
    Row("T5: replaced", processed: ["0 loading", "150 loaded(2)"]) { it in
      it.load(it.coop(100, 1))
      it.at(50) { it.load(it.coop(100, 2)) }
    },
    Row(
      "T6: an uncancellable load is replaced",
      processed: ["0 loading", "100 loaded(1)", "250 loaded(2)"],
      wrapper: ["0 loading", "250 loaded(2)"],
      latest: ["0 loading", "250 loaded(2)"]
    ) { it in
      it.load(it.stub(100, 1))
      it.at(50) { it.load(it.coop(200, 2)) }
    },
    Row(
      "T7: a load that turns cancellation into an error is replaced",
      processed: ["0 loading", "50 error(Boom)", "250 loaded(2)"],
      latest: ["0 loading", "250 loaded(2)"]
    ) { it in
      it.load(it.converting(100, 1))
      it.at(50) { it.load(it.coop(200, 2)) }
    },
    Row(
      "T8: a replaced load asks to cancel",
      processed: ["0 loading"],
      latest: ["0 loading", "250 loaded(2)"]
    ) { it in
      it.load(it.stub(100, throwing: CancelLoadable()))
      it.at(50) { it.load(it.coop(200, 2)) }
    },
    Row(
      "T9: a replaced load asks to reset",
      processed: ["0 loading", "100 absent"],
      latest: ["0 loading", "250 loaded(2)"]
    ) { it in
      it.load(it.stub(100, throwing: ResetLoadable()))
      it.at(50) { it.load(it.coop(200, 2)) }
    },
    Row(
      "T10: an awaited load cancelled from outside",
      processed: ["0 loading", "100 loaded(1)"],
      latest: ["0 loading", "50 absent"]
    ) { it in
      it.loadAsync(it.coop(100, 1))
      it.at(50) { it.driver.cancel() }
    },
    Row(
      "T10: an awaited load reset from outside",
      processed: ["0 loading", "50 absent", "100 loaded(1)"],
      latest: ["0 loading", "50 absent"]
    ) { it in
      it.loadAsync(it.coop(100, 1))
      it.at(50) { it.driver.reset() }
    },
    Row(
      "T11: two awaited loads overlap",
      processed: ["0 loading", "100 loaded(2)", "200 loaded(1)"],
      latest: ["0 loading", "100 loaded(2)"]
    ) { it in
      it.loadAsync(it.coop(200, 1))
      it.at(50) { it.loadAsync(it.coop(50, 2)) }
    },
    Row(
      "T12: an error, then a retry",
      processed: ["0 loading", "100 error(Boom)", "150 loading", "250 loaded(2)"]
    ) { it in
      it.load(it.stub(100, throwing: Boom()))
      it.at(150) { it.load(it.coop(100, 2)) }
    },
    Row(
      "T13: silent loads",
      processed: ["0 loading", "100 loaded(1)", "250 loaded(2)", "400 error(Boom)"]
    ) { it in
      it.load(it.coop(100, 1))
      it.at(150) { it.load(it.coop(100, 2), silently: true) }
      it.at(300) { it.load(it.stub(100, throwing: Boom()), silently: true) }
    },
  ]
}
