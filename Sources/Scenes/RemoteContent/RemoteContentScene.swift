import Loading
import MockHTTP
import Rehearsal
import RemoteLoading

extension Scene {
  static let remoteContent = Scene(
    "remote-content",
    "Posts and an avatar, loaded by RemoteContentView's rules and by those of the article.",
    details: [
      "'posts' and 'avatar' follow RemoteContentView as it is: a load is refused while one is in progress, and cancelling leaves content alone. 'article.posts' and 'article.avatar' follow the article about it: a load restarts, and cancelling wipes content.",
      "The posts come in four pieces from 200ms to 600ms, so 'view posts' shows a bar. The second load is answered by 503, the third by posts whose title is a number, the fourth as the first. The avatar comes likewise from 100ms to 500ms; its second load brings a page in place of an image, its third meets nobody.",
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

struct Post: Decodable {
  let id: Int
  let title: String
}

extension SceneBuilder {
  fileprivate func addPosts(_ name: String, _ policy: LoadingPolicy) throws {
    add(
      .get(
        try PathTemplate(parsing: "/\(name)"),
        .json(#"[{"id": 1, "title": "Hello"}, {"id": 2, "title": "Bye"}]"#)
          .after(.milliseconds(200)).dripping(4, over: .milliseconds(400)),
        .status(503).after(.milliseconds(200)),
        .json(#"[{"id": 1, "title": 404}]"#).after(.milliseconds(200)),
        then: .cycle
      )
    )
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
    add(
      .get(
        try PathTemplate(parsing: "/\(name)"),
        .status(200).bytes(avatarBytes, type: "image/png")
          .after(.milliseconds(100)).dripping(4, over: .milliseconds(400)),
        .text("<!doctype html><title>Not here</title>").after(.milliseconds(100)),
        .fault(.refused).after(.milliseconds(100)),
        then: .cycle
      )
    )
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

/// A PNG image of 4 × 4 pixels.
private let avatarBytes: [UInt8] = [
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
  0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x04, 0x08, 0x06, 0x00, 0x00, 0x00, 0xa9, 0xf1, 0x9e,
  0x7e, 0x00, 0x00, 0x00, 0x30, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x60, 0xa8, 0x38, 0xf1,
  0xdf, 0x06, 0x88, 0x2b, 0x80, 0x78, 0x0b, 0x10, 0x33, 0x88, 0x00, 0x89, 0x00, 0x20, 0xee, 0x01,
  0xe2, 0x13, 0x20, 0x01, 0x0d, 0x20, 0x91, 0x02, 0xc4, 0x0b, 0x80, 0xf8, 0x0e, 0x48, 0x00, 0x59,
  0xf9, 0x07, 0x20, 0x06, 0x00, 0x88, 0xf7, 0x2b, 0x71, 0x90, 0x78, 0x8b, 0x1a, 0x00, 0x00, 0x00,
  0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
]
