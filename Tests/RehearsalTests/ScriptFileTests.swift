import Testing

@testable import Rehearsal

@Suite struct ScriptFileTests {
  @Test
  func `a command continues until its brackets are closed, and has the line of its beginning`() {
    let script = """
      # What is loaded.
      shape Post {
        id: Int, # the number

        title: String
      }

      loadable posts: [Post]
      load posts [
        {"id": 1, "title": "a
      b"},

        {"id": 2, "title": "c"}
      ] after 1s
      load posts [1,
      """
    let commands = ScriptFile(Array(script.utf8)).commands.filter { !$0.text.hasPrefix("#") }

    #expect(commands.map(\.line) == [2, 8, 9, 15])
    #expect(commands[2].text.hasSuffix("] after 1s"))
    #expect(commands[3].text == "load posts [1,")
  }

  @Test func `a mistake ends a command, so that the next line is a command`() {
    for mistake in ["lod n [1,", "load n [1 2,", "shape S { a Int,", "load n [{\"a\": 1, \"a\":"] {
      let script = ScriptFile(Array("\(mistake)\nnow\n".utf8))
      #expect(script.commands.map(\.text) == [mistake, "now"])
    }
  }

  @Test func `a shape of thousands of lines is one command`() {
    let fields = (1...10_000).map { "f\($0): Int,\n" }.joined()
    let commands = ScriptFile(Array("shape S {\n\(fields)}\nnow".utf8)).commands

    #expect(commands.map(\.line) == [1, 10_003])
  }
}
