import Loading
package import MockHTTP
package import Rehearsal
import RemoteLoading

/// The scene `remote-content`: posts and an avatar, and the routes that answer their loads.
extension Scene {
  package static let remoteContent = Scene(
    "remote-content",
    "Posts and an avatar, loaded by RemoteContentView's rules and by those of the article.",
    details: [
      "'posts' and 'avatar' follow RemoteContentView as it is: a load has no effect while another one is in progress, and cancelling keeps content. 'article.posts' and 'article.avatar' follow the article about it: a load restarts, and cancelling removes content.",
      "The posts arrive in four pieces from 200ms to 600ms, so 'view posts' shows a progress bar. The second load gets 503, the third gets posts with a number as title, the fourth is like the first. The avatar arrives in the same way from 100ms to 500ms; its second load gets an HTML page, its third is refused.",
      "'view NAME appear' and 'view NAME disappear' do what a view does when it appears and disappears: load and cancel. 'view NAME retry' presses the button of the failure slot.",
    ]
  ) { scene in
    for (prefix, policy) in [
      ("", LoadingPolicy.remoteContent), ("article.", .remoteContentArticle),
    ] {
      try scene.addPosts("\(prefix)posts", policy)
      try scene.addAvatar("\(prefix)avatar", policy)
    }
  }
}

package struct Post: Decodable {
  let id: Int
  let title: String
}

extension Route {
  /// The answers to the loads of posts.
  package static func posts(_ name: String) throws -> Route {
    .get(
      try PathTemplate(parsing: "/\(name)"),
      .json(#"[{"id": 1, "title": "Hello"}, {"id": 2, "title": "Bye"}]"#)
        .after(.milliseconds(200)).dripping(4, over: .milliseconds(400)),
      .status(503).after(.milliseconds(200)),
      .json(#"[{"id": 1, "title": 404}]"#).after(.milliseconds(200)),
      then: .cycle
    )
  }

  /// The answers to the loads of an avatar.
  package static func avatar(_ name: String) throws -> Route {
    .get(
      try PathTemplate(parsing: "/\(name)"),
      .status(200).bytes(avatarBytes, type: "image/png")
        .after(.milliseconds(100)).dripping(4, over: .milliseconds(400)),
      .text("<!doctype html><title>Not here</title>").after(.milliseconds(100)),
      .fault(.refused).after(.milliseconds(100)),
      then: .cycle
    )
  }
}

extension SceneBuilder {
  fileprivate func addPosts(_ name: String, _ policy: LoadingPolicy) throws {
    add(try .posts(name))
    content(
      name,
      try DecodableRemoteContent(
        RemoteClient(transport(for: name)),
        url: "http://blog.example/\(name)",
        type: [Post].self,
        policy: policy
      )
    )
  }

  fileprivate func addAvatar(_ name: String, _ policy: LoadingPolicy) throws {
    add(try .avatar(name))
    content(
      name,
      try RemoteImage(
        RemoteClient(transport(for: name)),
        url: "http://blog.example/\(name)",
        policy: policy
      )
    )
  }
}
