import Script

/// Decides which words of a help page a search finds, how results are ranked, and which sentence they quote.
extension HelpSearch.Entry {
  init(_ name: String, _ summary: String, _ parts: [HelpSearch.Part]) {
    self.name = name
    self.summary = summary
    self.parts = parts
    words =
      [(.name, 0, HelpSearch.words(of: name)), (.summary, 0, HelpSearch.words(of: summary))]
      + parts.enumerated().map { ($1.place, $0, HelpSearch.words(of: $1.text)) }
  }

  /// The page of a word of pipes.
  init(_ word: String, _ summary: String, usage: String) {
    self.init(word, summary, [HelpSearch.Part(place: .synopsis, text: usage)])
  }

  init(_ scene: Scene) {
    let details = scene.details.flatMap(HelpSearch.sentences)
    self.init("scene " + scene.name, scene.summary, details)
  }

  init(_ command: CommandDefinition) {
    let examples = command.examples.enumerated().flatMap { number, example in
      example.split(separator: "\n").filter { $0.hasPrefix("> ") }.map {
        HelpSearch.Part(place: .example, text: String($0), label: "example \(number + 1): ")
      }
    }
    let synopsis = command.synopsis.map { HelpSearch.Part(place: .synopsis, text: $0) }
    let problems = command.problems.map { HelpSearch.Part(place: .problem, text: $0) }
    let details = command.details.flatMap(HelpSearch.sentences)
    self.init(command.verb, command.summary, synopsis + problems + details + examples)
  }

  init(_ topic: HelpTopic) {
    let problems = topic.problems.map { HelpSearch.Part(place: .problem, text: $0) }
    let details = topic.paragraphs().flatMap(HelpSearch.sentences)
    self.init(topic.name, topic.summary, problems + details)
  }

  /// Returns the page as a result if it has all words. The quote is for the word in the place of the
  /// lowest rank.
  func finding(of wanted: [String]) -> HelpSearch.Finding? {
    var score = 0
    var quoted: (place: HelpSearch.HelpRank, text: String)?
    for word in wanted {
      guard let best = best(of: word) else { return nil }
      score += best.score
      guard best.place.isQuoted, best.place < quoted?.place ?? .name else { continue }
      let part = parts[best.part]
      quoted = (best.place, part.label + HelpSearch.excerpt(of: part.text, around: word))
    }
    return HelpSearch.Finding(name: name, summary: summary, quote: quoted?.text, score: score)
  }

  /// Returns the best place of a word. A whole word counts twice.
  private func best(of word: String) -> (place: HelpSearch.HelpRank, part: Int, score: Int)? {
    var best: (place: HelpSearch.HelpRank, part: Int, score: Int)?
    for (place, part, words) in words {
      let isInside = place == .name && words.contains { $0.contains(word) }
      guard isInside || words.contains(where: { $0.hasPrefix(word) }) else { continue }
      let score = place.rawValue * (words.contains(word) ? 2 : 1)
      if score > best?.score ?? 0 { best = (place, part, score) }
    }
    return best
  }
}

extension HelpSearch {
  /// Splits a paragraph into sentences, so that a result can quote one.
  static func sentences(of paragraph: String) -> [Part] {
    var sentences: [String] = [""]
    for word in paragraph.split(separator: " ") {
      let last = sentences.count - 1
      sentences[last] += (sentences[last].isEmpty ? "" : " ") + word
      if word.hasSuffix(".") || word.hasSuffix(";") { sentences.append("") }
    }
    return sentences.filter { !$0.isEmpty }.map { Part(place: .details, text: $0) }
  }

  /// Returns the part of a text around a word.
  static func excerpt(of text: String, around found: String) -> String {
    let all = text.split(separator: " ")
    let place = all.firstIndex { words(of: String($0)).contains { $0.hasPrefix(found) } } ?? 0
    let near = max(0, place - 8)..<min(all.count, place + 12)
    return (near.lowerBound > 0 ? "… " : "") + all[near].joined(separator: " ")
      + (near.upperBound < all.count ? " …" : "")
  }
}
