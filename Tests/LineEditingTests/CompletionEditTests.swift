import Testing

@testable import LineEditing

@Suite struct CompletionEditTests {
  @Test func `the only candidate is completed and followed by a space`() {
    #expect(edit("cre", ["create"]) == .replace(scalars: 0, with: "ate "))
  }

  @Test func `no second space comes before one that is there`() {
    #expect(edit("cre", ["create"], after: " x") == .replace(scalars: 0, with: "ate"))
  }

  @Test func `a candidate that does not end a word gets no space`() {
    let candidate = LineEditor.Candidate(text: "folder/", endsWord: false)
    let completion = LineEditor.Completion(replacing: 3, candidates: [candidate])
    let edit = CompletionEdit(completion, before: "fol", after: "")
    #expect(edit == .replace(scalars: 0, with: "der/"))
  }

  @Test func `several candidates are completed as far as they agree`() {
    #expect(edit("pro", ["profile", "profit"]) == .replace(scalars: 0, with: "fi"))
  }

  @Test func `several candidates that agree no further are listed`() {
    #expect(edit("c", ["create", "cancel"]) == .list)
    #expect(edit("", ["create", "load"]) == .list)
  }

  @Test func `a candidate in other letters replaces what was typed`() {
    #expect(edit("CRE", ["create"]) == .replace(scalars: 3, with: "create "))
  }

  @Test func `replacing counts characters and removes scalars`() {
    #expect(edit("e\u{301}x", ["éa"], replacing: 2) == .replace(scalars: 3, with: "éa "))
  }

  @Test func `nothing fits where there is no candidate`() {
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
