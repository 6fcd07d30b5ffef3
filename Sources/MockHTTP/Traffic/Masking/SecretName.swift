/// Whether what bears a name is a secret: a header, a query's or a form's field, a field of JSON.
enum SecretName {
  /// How sure a name makes us.
  enum Strength {
    /// `password`, `access_token`: whatever it is, it is a secret.
    case certain
    /// `key`, `code`, `session`: a secret in a query or as a text, but often a plain word.
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
    // A plural counts them as often as it holds them: `max_tokens`.
    if last == "key" || words.contains("tokens") || likelyNames.contains(joined) { return .likely }
    if last == "code", words.count > 1, codeWords.contains(words[words.count - 2]) {
      return .likely
    }
    return nil
  }

  private static let longest = 100

  /// Each says enough wherever it stands in a name: `x-csrf-token`, `userPassword`.
  private static let certainWords: Set<String> = [
    "token", "password", "passwords", "passwd", "pwd", "passphrase", "passcode",
    "secret", "secrets", "jwt", "bearer", "authorization", "csrf", "xsrf", "otp", "totp",
    "signature", "credential", "credentials", "cookie", "cookies", "apikey", "cvv", "cvc",
  ]
  private static let certainNames: Set<String> = [
    "auth", "pin", "sid", "sessionid", "sessid", "samlresponse", "assertion", "privatekey",
    "accesskey", "authkey", "xauth", "apitoken", "authtoken", "sig",
  ]
  /// For names that are written without a break: `accesstoken`, `PHPSESSID`.
  private static let certainEnds = [
    "apikey", "token", "password", "secret", "sessionid", "sessid", "accesskey", "privatekey",
    "secretkey", "signature",
  ]
  private static let likelyNames: Set<String> = ["code", "session", "authcode", "ticket", "nonce"]
  /// What makes a code one that lets somebody in: not a country's, a status', an error's.
  private static let codeWords: Set<String> = [
    "auth", "authorization", "verification", "security", "device", "user", "access", "sms",
    "invite", "reset", "pass", "confirmation", "recovery", "login", "backup", "code",
  ]

  /// The words of `accessToken`, `access_token`, `X-Access-Token`, `user[token]`, in lower case.
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
