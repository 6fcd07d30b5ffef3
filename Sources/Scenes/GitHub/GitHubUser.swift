/// A user of GitHub, as far as it is shown.
struct GitHubUser: Decodable, Sendable {
  let login: String
  let repositoryCount: Int
  let avatarURL: String

  private enum CodingKeys: String, CodingKey {
    case login
    case repositoryCount = "public_repos"
    case avatarURL = "avatar_url"
  }
}
