extension Findings {
  /// Takes in what the runs behind these have found.
  package mutating func append(_ part: Findings) {
    inconclusiveRuns += part.inconclusiveRuns
    checked += part.checked
    end = part.end
    isInOrder = isInOrder || part.isInOrder
    // A part for which nothing was left knows nothing of it.
    if part.runs > 0 { share = part.share }
    leavesValuesOut = leavesValuesOut || part.leavesValuesOut
    missesOrders = missesOrders || part.missesOrders
    assumesIsolation = assumesIsolation || part.assumesIsolation
    isEndless = isEndless || part.isEndless
    hasUnkeptFailures = hasUnkeptFailures || part.hasUnkeptFailures
    if ignored.isEmpty { ignored = part.ignored }
    if schedulesLeftOut.isEmpty { schedulesLeftOut = part.schedulesLeftOut }
    readings.merge(part.readings) { known, _ in known }
    unlistedSchedules += part.unlistedSchedules
    openChoices.merge(part.openChoices)
    addOutside(part.outside)
    nondeterministicSchedule = nondeterministicSchedule ?? part.nondeterministicSchedule
    mostDecisions = max(mostDecisions, part.mostDecisions)
    sumOfGuesses.add(part.sumOfGuesses)
    guesses += part.guesses
    for hash in part.hashes where hashes.count < Self.mostHashes { hashes.insert(hash) }
    for group in part.groups { append(group) }
    for fingerprint in part.others where places[fingerprint] == nil {
      if others.count < Self.mostHashes { others.insert(fingerprint) }
    }
    runsInOthers += part.runsInOthers
    for var violated in part.violatedChecks {
      violated.nearest += runs
      add(violated)
    }
    runs += part.runs
  }

  /// These, of runs in order, where runs come behind that are chosen in another way: what the first cannot tell of all
  /// schedules, the others do.
  package var goingOn: Findings {
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

  /// These, or where nothing came behind those in order, these with their end.
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
      return begin(group)
    }
    groups[place].count += group.count
    if groups[place].approach(group.schedule.choices, group.nearest + runs) {
      groups[place].outcome = group.outcome
    }
  }

  /// How many runs of a part are done before `stopAfter` runs showed nothing new; nil if it lasts beyond them.
  ///
  /// - Parameters:
  ///   - part: what the runs behind these have found.
  ///   - stopAfter: number of runs without a new behaviour that ends the search.
  /// - Returns: how many of the part's runs.
  package func runs(of part: Findings, before stopAfter: Int) -> Int? {
    var news = runsAtNews
    for group in part.groups where places[group.fingerprint] == nil {
      if news + stopAfter <= runs + group.first { return news + stopAfter - runs }
      if !others.contains(group.fingerprint) { news = runs + group.first + 1 }
    }
    return news + stopAfter <= runs + part.runs ? news + stopAfter - runs : nil
  }
}
