/// A GitHub user, with the fields that the scene shows.
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
