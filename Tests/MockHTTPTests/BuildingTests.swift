import HTTPTypes
import MockHTTP
import RemoteLoading
import Testing

/// Builders of routes and answers in Swift.
@Suite struct BuildingTests {
  @Test func `each method has a builder`() {
    let server = MockServer(
      .get("/a", 200),
      .post("/a", 201),
      .put("/a", 202),
      .patch("/a", 203),
      .delete("/a", 204)
    )
    let statuses = ["GET", "POST", "PUT", "PATCH", "DELETE"].map { server.status("\($0) /a") }
    #expect(statuses == [200, 201, 202, 203, 204])
  }

  private struct Post: Encodable {
    let title: String
    let id: Int
  }

  @Test func `a value is sent as JSON without placeholders`() throws {
    let post = Post(title: "{id} a/b", id: 7)
    let server = MockServer(
      .get("/posts/{id}", try .json(post)),
      .post("/posts", try .status(201).json([post]))
    )
    let read = try #require(server.receive("GET /posts/1").delivery)
    #expect(read.body == Array(#"{"id":7,"title":"{id} a/b"}"#.utf8))
    #expect(read.head.headerFields[.contentType] == "application/json")
    let made = try #require(server.receive("POST /posts").delivery)
    #expect(made.head.status.code == 201)
    #expect(made.body == Array(#"[{"id":7,"title":"{id} a/b"}]"#.utf8))
  }
}
