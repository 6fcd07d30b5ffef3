import Testing

/// Flags and variables for pictures.
@Suite struct PictureOptionTests {
  private func place() throws -> Workplace {
    let place = try Workplace()
    try place.write("a.rehearse", "loadable a\nload a 1 after 3s\nsettle\n")
    try place.write("b.rehearse", "loadable a\nload a 1 after 2s\nsettle\n")
    return place
  }

  private func ruler(_ output: String) -> Int? {
    output.split(separator: "\n").first { $0.contains("├") }?.count
  }

  @Test(arguments: [
    ["timeline", "a.rehearse", "--width", "50"], ["--width", "50", "timeline", "a.rehearse"],
    ["diff", "a.rehearse", "b.rehearse", "--width", "50"],
  ])
  func `a flag sets the width of a picture`(arguments: [String]) throws {
    let output = try place().rehearse(arguments, input: []).output
    #expect(try #require(ruler(output)) <= 50)
    #expect(try #require(ruler(output)) > 40)
  }

  @Test func `the environment sets the width of a picture`() throws {
    let environment = ["REHEARSE_WIDTH": "120", "REHEARSE_TIMES": "clock"]
    let output = try place()
      .rehearse("timeline", "a.rehearse", environment: environment).output
    #expect(try #require(ruler(output)) > 100)
    #expect(output.contains("00:03"))
  }

  @Test(arguments: [["timeline", "a.rehearse"], ["diff", "a.rehearse", "b.rehearse"]])
  func `a file name without a known format is refused`(arguments: [String]) throws {
    let outcome = try place().rehearse(arguments + ["-o", "a.png"], input: [])
    #expect(outcome.errors.contains("-o takes a file that ends in .txt, .svg"))
    #expect(outcome.code == 2)
  }
}
