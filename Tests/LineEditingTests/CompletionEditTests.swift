import Testing

@testable import LineEditing

@Suite struct CompletionEditTests {
  @Test func `the only candidate is completed and followed by a space`() {
    #expect(edit("cre", ["create"]) == .replace(scalars: 0, with: "ate "))
  }

  @Test func `no second space is inserted before an existing one`() {
    #expect(edit("cre", ["create"], after: " x") == .replace(scalars: 0, with: "ate"))
  }

  @Test func `a candidate that does not end a word gets no space`() {
    let candidate = LineEditor.Candidate(text: "folder/", endsWord: false)
    let completion = LineEditor.Completion(replacing: 3, candidates: [candidate])
    let edit = CompletionEdit(completion, before: "fol", after: "")
    #expect(edit == .replace(scalars: 0, with: "der/"))
  }

  @Test func `several candidates are completed to their common prefix`() {
    #expect(edit("pro", ["profile", "profit"]) == .replace(scalars: 0, with: "fi"))
  }

  @Test func `several candidates without a longer common prefix are listed`() {
    #expect(edit("c", ["create", "cancel"]) == .list)
    #expect(edit("", ["create", "load"]) == .list)
  }

  @Test func `a candidate in another case replaces the typed word`() {
    #expect(edit("CRE", ["create"]) == .replace(scalars: 3, with: "create "))
  }

  @Test func `replacing counts characters and removes scalars`() {
    #expect(edit("e\u{301}x", ["éa"], replacing: 2) == .replace(scalars: 3, with: "éa "))
  }

  @Test func `without candidates there is nothing to complete`() {
    #expect(edit("zzz", []) == .nothing)
  }

  @Test func `a finished word in mid-line stays`() {
    #expect(edit("create", ["create"], after: " x") == .nothing)
  }

  @Test func `a replacement longer than the line is cut to the line`() {
    #expect(edit("c", ["create"], replacing: 99) == .replace(scalars: 0, with: "reate "))
  }

  private func edit(
    _ before: String,
    _ texts: [String],
    after: String = "",
    replacing: Int? = nil
  ) -> CompletionEdit {
    let completion = LineEditor.Completion(
      replacing: replacing ?? before.count,
      candidates: texts.map { LineEditor.Candidate(text: $0) }
    )
    return CompletionEdit(completion, before: before, after: after)
  }
}
