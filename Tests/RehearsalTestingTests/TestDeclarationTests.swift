import Testing

@testable import RehearsalTesting

/// The declaration of a test, as its source file has it.
@Suite struct TestDeclarationTests {
  @Test(
    arguments: [
      ("@Test func a() async throws { }", true),
      ("@Test func a() async { }", true),
      ("@Test func a() { async() }", false),
      ("@Test func a() throws { }", false),
      ("@Test func a() -> () async { }", false),
      ("@Test func `an async test`() { }", false),
      ("@Test(.explored, arguments: [{ async in 1 }])\nfunc a(b: Int = f(1)) async { }", true),
      (
        "@Test(\"func b() async\") // func c() async\n  @MainActor func a<T: P<Q>>(_ t: T) { }",
        false
      ),
      ("@Test /* func b() async */ func a(\n  _ text: String = \")\"\n) async throws {", true),
    ]
  )
  func `tells whether a test is async`(source: String, isAsync: Bool) {
    #expect(TestDeclaration(in: Array(source.utf8), line: 1)?.isAsync == isAsync)
  }

  @Test func `the first function on a line or below counts`() {
    let source = Array("@Test func a() async {}\n@Test\nfunc b() {}\nfunc c() async {}".utf8)
    #expect(
      (1...5).map { TestDeclaration(in: source, line: $0)?.isAsync } == [
        true, false, false, true, nil,
      ]
    )
  }

  @Test func `a test in a suite on the same line counts`() {
    let source = Array("\n@Suite struct A { @Test func a() {} }\nfunc b() async {}".utf8)
    #expect(TestDeclaration(in: source, line: 2, column: 20)?.isAsync == false)
  }

  @Test(arguments: ["", "@Test", "@Test func", "@Test func a", "@Test func a(", "@Test func a()"])
  func `a source without a complete declaration tells nothing`(source: String) {
    #expect(TestDeclaration(in: Array(source.utf8), line: 1) == nil)
  }

  @Test func `the source of this test is read`() throws {
    #expect(TestDeclaration(of: try #require(Test.current))?.isAsync == false)
  }
}
