import MockHTTP
import Rehearsal
import RemoteLoading
import Scenes

/// The scene `remote-content` with the content classes as they were published.
extension Scene {
  static let publishedRemoteContent = remoteContent.published(
    "the content classes of RemoteContentView and of the article about it",
    on: "'RunLoop.main'"
  ) { scene in
    for isArticle in [false, true] {
      let prefix = isArticle ? "article." : ""
      scene.add(try .posts("\(prefix)posts"), try .avatar("\(prefix)avatar"))
      scene.addContent("\(prefix)posts", isArticle) {
        try RemoteDecoding().decode([Post].self, from: $0)
      }
      scene.addContent("\(prefix)avatar", isArticle) { try ImageData($0) }
    }
  }
}

extension SceneBuilder {
  fileprivate func addContent<Value>(
    _ name: String,
    _ isArticle: Bool,
    reading read: @escaping ([UInt8]) throws -> Value
  ) {
    let content = PublishedRemoteContent(
      RemoteClient(transport(for: name)),
      url: "http://blog.example/\(name)",
      version: isArticle ? .article : .repository,
      reading: read
    )
    self.content(name, content, count: { content.loadCount })
  }
}
