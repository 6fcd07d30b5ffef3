import HTTPTypes
import Loading
import RehearsalBase
import Testing

@testable import RemoteLoading

/// The examples of RFC 3986, 5.4, without their fragments.
@Suite struct URLReferenceTests {
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("http:g", "http:g"),
  ])
  func `a reference is resolved by the standard`(reference: String, target: String) {
    let base = URLReference("http://a/b/c/d;p?q")
    #expect(URLReference(reference[...]).resolved(against: base).description == target)
  }

  @Test func `a reference to a host without a path begins at its root`() {
    let base = URLReference("http://a")
    #expect(URLReference("g").resolved(against: base).description == "http://a/g")
  }

  @Test(arguments: [
    ("http://a.test", "http://a.test/"), ("HTTPS://a.test:8443/b?c#d", "https://a.test:8443/b?c"),
    ("http://u:p@a.test/ü b", "http://a.test/%C3%BC%20b"),
    ("http://[::1]:80/x", "http://[::1]:80/x"),
    ("http://a.test?q={x}", "http://a.test/?q=%7Bx%7D"),
    ("http://a.test/a%2Fb", "http://a.test/a%2Fb"),
  ])
  func `a request has a normalized URL`(text: String, url: String) throws {
    #expect(try RemoteRequest(url: text).url == url)
  }

  @Test(arguments: [
    "", "/posts", "a.test/x", "ftp://a.test/", "http:///x", "http://a.test:99999/",
    "http://a.test:x/",
  ])
  func `an unsupported URL is rejected`(text: String) {
    #expect(throws: TransportError.unsupportedURL) { try RemoteRequest(url: text) }
  }

  @Test func `no reference leads outside of HTTP`() throws {
    var random = SplitMix64(seed: 3)
    let letters = Array("ab:/?#.@%[]{} é\u{0}\\1")
    let base = try RemoteRequest(url: "http://a.test/b/c").reference
    var followed = 0
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...12, using: &random)
      let text = String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
      let target = URLReference(PercentCoding.encoded(text, in: .url)[...]).resolved(against: base)
      guard let request = try? RemoteRequest(url: target.description) else { continue }
      followed += 1
      #expect(request.url.hasPrefix("http://"))
      #expect(request.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
      #expect(!(request.head.path ?? "").contains("/../"))
      #expect(try RemoteRequest(url: request.url) == request)
    }
    #expect(followed > 1_000)
  }
}
