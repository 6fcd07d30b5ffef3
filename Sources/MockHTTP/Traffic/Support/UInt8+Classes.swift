extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isASCIISpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  /// Of what tokens are made: base64 in both its forms, and the dots between the parts of a JWT.
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
