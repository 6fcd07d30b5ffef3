/// Decides which names of header fields, query items, form fields and JSON fields indicate a secret.
enum SecretName {
  /// The certainty of a name.
  enum Strength {
    /// `password`, `access_token`: the value is always a secret.
    case certain
    /// `key`, `code`, `session`: a secret in a query or as a text, but often an ordinary word.
    case likely
  }

  static func strength(of name: some StringProtocol) -> Strength? {
    guard name.utf8.count <= longest else { return nil }
    let words = words(of: name)
    guard let last = words.last else { return nil }
    let joined = words.joined()
    if certainWords.contains(where: words.contains) { return .certain }
    if certainNames.contains(joined) || certainEnds.contains(where: joined.hasSuffix) {
      return .certain
    }
    // The plural may be a number of tokens: `max_tokens`.
    if last == "key" || words.contains("tokens") || likelyNames.contains(joined) { return .likely }
    if last == "code", words.count > 1, codeWords.contains(words[words.count - 2]) {
      return .likely
    }
    return nil
  }

  private static let longest = 100

  /// Words that indicate a secret anywhere in a name: `x-csrf-token`, `userPassword`.
  private static let certainWords: Set<String> = [
    "token", "password", "passwords", "passwd", "pwd", "passphrase", "passcode",
    "secret", "secrets", "jwt", "bearer", "authorization", "csrf", "xsrf", "otp", "totp",
    "signature", "credential", "credentials", "cookie", "cookies", "apikey", "cvv", "cvc",
  ]
  private static let certainNames: Set<String> = [
    "auth", "pin", "sid", "sessionid", "sessid", "samlresponse", "assertion", "privatekey",
    "accesskey", "authkey", "xauth", "apitoken", "authtoken", "sig",
  ]
  /// Endings of names without separators: `accesstoken`, `PHPSESSID`.
  private static let certainEnds = [
    "apikey", "token", "password", "secret", "sessionid", "sessid", "accesskey", "privatekey",
    "secretkey", "signature",
  ]
  private static let likelyNames: Set<String> = ["code", "session", "authcode", "ticket", "nonce"]
  /// Words that make a code a secret, unlike the code of a country, status or error.
  private static let codeWords: Set<String> = [
    "auth", "authorization", "verification", "security", "device", "user", "access", "sms",
    "invite", "reset", "pass", "confirmation", "recovery", "login", "backup", "code",
  ]

  /// Returns the lower-case words of `accessToken`, `access_token`, `X-Access-Token`,
  /// `user[token]`.
  private static func words(of name: some StringProtocol) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for byte in name.utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      if (isUpper && wasLower) || !(isUpper || isLower) {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isUpper || isLower { word.unicodeScalars.append(Unicode.Scalar(byte | 0x20)) }
      wasLower = isLower
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
