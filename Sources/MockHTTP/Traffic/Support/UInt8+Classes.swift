/// Decides which bytes are ASCII digits, letters and spaces, or part of a token that may be secret.
extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  /// Whether the byte can be part of a token: both base64 alphabets, and the dots of a JWT.
  var isTokenByte: Bool {
    if isASCIILetter || isASCIIDigit { return true }
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"),
      UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
      return true
    default: return false
    }
  }
}
