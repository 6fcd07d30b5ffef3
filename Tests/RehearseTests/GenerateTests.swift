import Testing

/// `rehearse explore --generate`.
@Suite struct GenerateTests {
  private let overtaking = "loadable a policy parallel\n"

  private func place(_ script: String, program: String = "rehearse") throws -> Workplace {
    let place = try Workplace(program: program)
    try place.write("a.rehearse", script)
    return place
  }

  private func generate(_ place: Workplace, _ arguments: String...) throws -> Outcome {
    let all = ["explore", "--generate", "a.rehearse", "--schedules", "600"] + arguments
    return try place.rehearse(all, input: [])
  }

  @Test func `conditions that never hold are named, and the search fails`() throws {
    let outcome = try generate(try place("scene barred\n", program: "TroubleShell"))

    #expect(outcome.code == 1)
    #expect(
      outcome.output.contains(
        "because its condition never held: 'enter-bar' of the scene 'barred'; check 'when:' in its code\n"
      )
    )
    #expect(
      outcome.output.contains(
        "\nerror: no run performed a generated command except 'wait', so the search shows nothing\nhint: "
      )
    )
  }
}
