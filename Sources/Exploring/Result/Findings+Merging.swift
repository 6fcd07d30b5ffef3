/// Appends the findings of later runs or of another part of a search; finds the run at which `--stop-after` ends it.
extension Findings {
  /// Appends the findings of later runs.
  package mutating func append(_ part: Findings) {
    inconclusiveRuns += part.inconclusiveRuns
    checked += part.checked
    end = part.end
    isInOrder = isInOrder || part.isInOrder
    // A part without runs has no share.
    if part.runs > 0 { share = part.share }
    leavesValuesOut = leavesValuesOut || part.leavesValuesOut
    missesOrders = missesOrders || part.missesOrders
    assumesIsolation = assumesIsolation || part.assumesIsolation
    drawsRandomNumbers = drawsRandomNumbers || part.drawsRandomNumbers
    isEndless = isEndless || part.isEndless
    isLastRunSystematic = isLastRunSystematic || part.isLastRunSystematic
    hasUnkeptFailures = hasUnkeptFailures || part.hasUnkeptFailures
    if ignored.isEmpty { ignored = part.ignored }
    if schedulesLeftOut.isEmpty { schedulesLeftOut = part.schedulesLeftOut }
    if notesOfDefault.isEmpty { notesOfDefault = part.notesOfDefault }
    readings.merge(part.readings) { known, _ in known }
    changedFiles += part.changedFiles.filter { !changedFiles.contains($0) }
    unlistedSchedules += part.unlistedSchedules
    unlistedBehaviours += part.unlistedBehaviours
    openChoices.merge(part.openChoices)
    addOutside(part.outside)
    addUnvaried(part.unvaried)
    addSometimes(part.sometimes)
    hasUnkeptSometimes = hasUnkeptSometimes || part.hasUnkeptSometimes
    nondeterministicSchedule = nondeterministicSchedule ?? part.nondeterministicSchedule
    mostDecisions = max(mostDecisions, part.mostDecisions)
    sumOfGuesses.add(part.sumOfGuesses)
    guesses += part.guesses
    hashes.formUnion(part.hashes)
    for group in part.groups { append(group) }
    runsInOthers += part.runsInOthers
    append(part.others)
    for var violated in part.violatedChecks {
      violated.nearest += runs
      add(violated)
    }
    runs += part.runs
    sample.runs += part.sample.runs
    sample.strategies = max(sample.strategies, part.sample.strategies)
    statedEstimate = part.statedEstimate ?? statedEstimate
  }

  /// The findings of the systematic runs, prepared for random runs that follow. Limits that apply
  /// only to the systematic runs are removed.
  package var preparedForRandomRuns: Findings {
    var all = self
    all.end = .budget
    all.runsInOrder = runs
    all.runsAtNews = runs
    all.isInOrder = false
    all.share = nil
    all.leavesValuesOut = false
    all.missesOrders = false
    all.assumesIsolation = false
    return all
  }

  /// The findings, or those of the systematic runs with this end if no other runs followed.
  package func behind(_ inOrder: Findings) -> Findings {
    guard runs == inOrder.runs else { return self }
    var all = inOrder
    all.end = end
    return all
  }

  private mutating func append(_ group: Group) {
    guard let place = places[group.fingerprint] else {
      var group = group
      group.first += runs
      group.nearest += runs
      group.sample = group.sample.map { $0 + sample.runs }
      return begin(group)
    }
    groups[place].count += group.count
    if groups[place].approach(group.schedule, group.nearest + runs) {
      groups[place].outcome = group.outcome
      groups[place].needsReplay = group.needsReplay
    }
  }

  /// Appends behaviours that a part does not keep.
  private mutating func append(_ unkept: UnkeptBehaviours) {
    others.raise(to: unkept.fingerprints.level)
    for fingerprint in unkept.fingerprints.hashes {
      if let place = places[fingerprint] {
        // At least one run of the part showed it.
        groups[place].count += 1
        runsInOthers -= 1
      } else {
        _ = others.add(fingerprint, isSingle: unkept.singles.contains(fingerprint))
      }
    }
  }

  /// Returns the number of runs of a part until `stopAfter` runs in a row have shown no new
  /// behaviour; nil if the part ends earlier.
  ///
  /// - Parameters:
  ///   - part: the findings of the runs that follow.
  ///   - stopAfter: number of runs without a new behaviour that ends the search.
  /// - Returns: the number of the part's runs.
  package func runs(of part: Findings, before stopAfter: Int) -> Int? {
    guard !others.isEstimate else { return nil }
    var news = runsAtNews
    var room = Self.mostGroups - groups.count
    for group in part.groups where !isKnown(group.fingerprint) {
      if news + stopAfter <= runs + group.first { return news + stopAfter - runs }
      news = runs + group.first + 1
      room -= 1
      // From here on, a known behaviour may look new.
      if room < 0, !others.fingerprints.hasRoom(for: -room) { return nil }
    }
    return news + stopAfter <= runs + part.runs ? news + stopAfter - runs : nil
  }
}
