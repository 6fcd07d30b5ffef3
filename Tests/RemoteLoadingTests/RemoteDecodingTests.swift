import FoundationEssentials
import Loading
import RehearsalBase
import Testing

@testable import RemoteLoading

@Suite struct RemoteDecodingTests {
  struct Author: Codable, Equatable {
    let name: String
  }

  enum Mood: String, Decodable { case glad, sad }

  struct Post: Decodable {
    let id: Int
    let title: String
    let author: Author?
    let tags: [String]?
    let mood: Mood?
    let day: Date?
    let link: URL?
    let rating: Double?
    let counts: [String: Int]?
  }

  @Test(arguments: [
    (#"{"id": 1}"#, "expected [Post], found an object"),
    (#"[null]"#, "[0]: expected Post, found null"),
    (#"[7]"#, "[0]: expected Post, found an Int"),
    (
      #"[{"id": 1, "title": "a"}, {"id": 1, "title": 2}]"#,
      "[1].title: expected String, found an Int"
    ),
    (#"[{"id": 1, "title": "a"}, {"id": 1}]"#, "[1].title: expected String, found nothing"),
    (#"[{"id": 1, "title": null}]"#, "[0].title: expected String, found null"),
    (#"[{"id": true, "title": "a"}]"#, "[0].id: expected Int, found a Bool"),
    (#"[{"id": 1.5, "title": "a"}]"#, "[0].id: expected Int, found a Double"),
    (#"[{"id": "1", "id": 2, "title": "a"}]"#, "[0].id: expected Int, found a String"),
    (
      #"[{"id": 99999999999999999999, "title": "a"}]"#,
      "[0].id: expected Int, found 99999999999999999999"
    ),
    (
      #"[{"id": 1, "title": "a", "author": {}}]"#, "[0].author.name: expected String, found nothing"
    ),
    (#"[{"id": 1, "title": "a", "author": []}]"#, "[0].author: expected Author, found an array"),
    (#"[{"id": 1, "title": "a", "tags": {}}]"#, "[0].tags: expected [String], found an object"),
    (#"[{"id": 1, "title": "a", "tags": ["x", 1]}]"#, "[0].tags[1]: expected String, found an Int"),
    (#"[{"id": 1, "title": "a", "mood": "odd"}]"#, #"[0].mood: expected Mood, found "odd""#),
    (
      #"[{"id": 1, "title": "a", "day": "2019-11-31T00:00:00Z"}]"#,
      #"[0].day: expected Date (iso8601), found "2019-11-31T00:00:00Z""#
    ),
    (#"[{"id": 1, "title": "a", "day": 5}]"#, "[0].day: expected Date (iso8601), found an Int"),
    (#"[{"id": 1, "title": "a", "link": ""}]"#, #"[0].link: expected URL, found """#),
    (#"[{"id": 1, "title": "a", "rating": 1e400}]"#, "[0].rating: expected Double, found 1e400"),
    (
      #"[{"id": 1, "title": "a", "counts": {"a b": 1, "c.d": "x"}}]"#,
      #"[0].counts["c.d"]: expected Int, found a String"#
    ),
    ("", "expected [Post], found nothing"), (" \n ", "expected [Post], found nothing"),
    ("<html><body>", "expected [Post], found HTML"),
    ("<!DOCTYPE html>", "expected [Post], found HTML"), ("<?xml?>", "expected [Post], found XML"),
    ("oops", "expected [Post], found invalid JSON at line 1, column 1"),
    ("[1,\n {\"é\": x}]", "expected [Post], found invalid JSON at line 2, column 8"),
    ("[", "expected [Post], found JSON that ends early at line 1, column 2"),
    (
      #"[{"id": 1, "title": "a"#, "expected [Post], found JSON that ends early at line 1, column 23"
    ),
    ("[] []", "expected [Post], found invalid JSON at line 1, column 4"),
    ("[01]", "expected [Post], found invalid JSON at line 1, column 2"),
    ("[\"\\x\"]", "expected [Post], found invalid JSON at line 1, column 3"),
    ("[NaN]", "expected [Post], found invalid JSON at line 1, column 2"),
  ])
  func `an error has the place, the expected and the found value`(body: String, words: String) {
    #expect(failure([Post].self, Array(body.utf8))?.message == words)
  }

  @Test func `broken UTF-8 is reported with its byte`() {
    let body = Array("[\"é".utf8) + [0xff] + Array("\"]".utf8)
    #expect(
      failure([String].self, body)?.message
        == "expected [String], found invalid UTF-8: byte ff at offset 4"
    )
  }

  @Test func `a body that is nested too deep is rejected`() {
    struct Nest: Decodable {
      let inner: [Nest]
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        inner = container.isAtEnd ? [] : [try container.decode(Nest.self)]
      }
    }
    let body = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(failure(Nest.self, body)?.message == "expected Nest, found more than 512 levels")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a field is found as fast among a hundred thousand as among few`() {
    let fields = (0..<100_000).map { #""k\#($0)": 1, "# }.joined()
    let body = "{" + fields + #""k7": "not looked at", "z": true}"#
    #expect(
      failure([String: Int].self, Array(body.utf8))?.message == "z: expected Int, found a Bool"
    )
  }

  @Test func `random bytes and damaged bodies are rejected with a message`() throws {
    var random = SplitMix64(seed: 7)
    let body = Array(
      #"{"id": 1, "title": "é\u00e9\n", "tags": ["a", 1.5e3, null, true], "day": "x"}"#.utf8
    )
    for _ in 0..<2_000 {
      var damaged = body
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        damaged[index] = UInt8.random(in: 0...255, using: &random)
      }
      let cut = Array(damaged.prefix(Int.random(in: 0...damaged.count, using: &random)))
      #expect(failure(Post.self, cut) != nil)
    }
  }

  @Test func `the explaining decoder reads all that Foundation reads`() {
    struct Everything: Decodable {
      init(from decoder: any Decoder) throws {
        if let fields = try? decoder.container(keyedBy: NameKey.self) {
          for key in fields.allKeys { _ = try fields.decode(Everything.self, forKey: key) }
        } else if var elements = try? decoder.unkeyedContainer() {
          while !elements.isAtEnd { _ = try elements.decode(Everything.self) }
        } else {
          try Self.readLeaf(decoder.singleValueContainer())
        }
      }

      static func readLeaf(_ leaf: any SingleValueDecodingContainer) throws {
        if leaf.decodeNil() || (try? leaf.decode(Bool.self)) != nil { return }
        if (try? leaf.decode(String.self)) == nil { _ = try leaf.decode(Double.self) }
      }
    }
    var random = SplitMix64(seed: 11)
    let letters = Array(#"[]{}":,01.eE+-tfn\u "#.utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...5, using: &random)
      let body = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
      guard failure(Everything.self, body) == nil else { continue }
      accepted += 1
      #expect(throws: Never.self, "\(String(decoding: body, as: UTF8.self))") {
        try JSONValue(json: body, repeatedNames: .kept)
      }
    }
    #expect(accepted > 100)
  }

  @Test func `a message of the type about its values is passed on`() {
    struct Even: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(Int.self).isMultiple(of: 2) else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be even")
        }
      }
    }
    #expect(
      failure([Even].self, Array("[2, 3]".utf8))?.message
        == "[1]: expected Even (must be even), found 3"
    )
  }

  @Test func `an error of another kind is described`() {
    struct Odd: Error {}
    struct Thrower: Decodable {
      init(from decoder: any Decoder) throws { throw Odd() }
    }
    #expect(failure(Thrower.self, Array("1".utf8))?.message == "expected Thrower, found Odd")
  }

  @Test func `nested containers and inheritance are explained too`() {
    struct Deep: Decodable {
      enum Key: CodingKey { case outer, inner }
      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Key.self)
        let inner = try outer.nestedContainer(keyedBy: Key.self, forKey: .outer)
        var list = try inner.nestedUnkeyedContainer(forKey: .inner)
        while !list.isAtEnd { _ = try list.decode(Int.self) }
        _ = try Author(from: outer.superDecoder(forKey: .inner))
      }
    }
    func words(_ body: String) -> String? { failure(Deep.self, Array(body.utf8))?.message }
    #expect(words(#"{"outer": 1}"#) == "outer: expected an object, found an Int")
    #expect(words(#"{"outer": {}}"#) == "outer.inner: expected an array, found nothing")
    #expect(
      words(#"{"outer": {"inner": [1, "x"]}}"#) == "outer.inner[1]: expected Int, found a String"
    )
    #expect(
      words(#"{"outer": {"inner": []}, "inner": {"name": 1}}"#)
        == "inner.name: expected String, found an Int"
    )
  }

  // MARK: Settings

  @Test(arguments: [
    (DateFormat.iso8601, #""2019-11-22T00:00:00Z""#), (.secondsSince1970, "1574380800"),
    (.millisecondsSince1970, "1574380800000"),
    (try! DateFormat.pattern(DatePattern("yyyy-MM-dd")), #""2019-11-22""#),
  ])
  func `dates are read in the declared format`(format: DateFormat, text: String) throws {
    let decoding = RemoteDecoding(dates: format)
    let dates: [Date] = try decoding.decode(from: Array("[\(text)]".utf8))
    #expect(dates == [Date(timeIntervalSince1970: 1_574_380_800)])
    let error = failure([Date].self, Array("[true]".utf8), decoding)
    #expect(error?.message == "[0]: expected Date (\(format)), found a Bool")
  }

  @Test func `the month is not the minute`() throws {
    let format = DateFormat.pattern(try DatePattern("yyyy-MM-dd"))
    let date: Date = try RemoteDecoding(dates: format).decode(from: Array(#""2019-11-22""#.utf8))
    #expect(date.timeIntervalSince1970 == 1_574_380_800)
  }

  @Test func `keys in snake case are found, and named as in the body`() throws {
    struct Movie: Decodable {
      let posterPath: String
    }
    let decoding = RemoteDecoding(keys: .fromSnakeCase)
    let movie: Movie = try decoding.decode(from: Array(#"{"poster_path": "x"}"#.utf8))
    #expect(movie.posterPath == "x")
    let error = failure(Movie.self, Array(#"{"poster_path": 1}"#.utf8), decoding)
    #expect(error?.message == "poster_path: expected String, found an Int")
  }

  @Test(arguments: [
    ("poster_path", "posterPath"), ("_a_b_", "_aB_"), ("plain", "plain"), ("a__b", "aB"),
    ("_", "_"),
    ("URL_of_A", "urlOfA"),
  ])
  func `names are converted as Foundation does`(name: String, key: String) throws {
    let decoding = RemoteDecoding(keys: .fromSnakeCase)
    #expect(decoding.keyName(name) == key)
    struct Names: Decodable {
      let names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: NameKey.self).allKeys.map(\.stringValue)
      }
    }
    let names: Names = try decoding.decode(from: Array(#"{"\#(name)": 1}"#.utf8))
    #expect(names.names == [key])
  }

  @Test func `a function reads values without a static type`() throws {
    func total(_ body: String) throws -> Int {
      try RemoteDecoding().decode(from: Array(body.utf8), as: "Totals") { decoder in
        let container = try decoder.container(keyedBy: NameKey.self)
        return try container.allKeys.reduce(0) { sum, key in
          let number = try container.decode(Int.self, forKey: key)
          if number < 0 {
            throw UnexpectedValue(at: container.codingPath + [key], expected: "Natural")
          }
          return sum + number
        }
      }
    }
    #expect(try total(#"{"a": 1, "b": 2}"#) == 3)
    #expect(throws: RemoteError.decoding(path: "b", expected: "Int", found: "a String")) {
      try total(#"{"a": 1, "b": "x"}"#)
    }
    #expect(throws: RemoteError.decoding(path: "b", expected: "Natural", found: "an Int")) {
      try total(#"{"a": 1, "b": -1}"#)
    }
    #expect(throws: RemoteError.decoding(path: "", expected: "Totals", found: "an array")) {
      try total("[]")
    }
  }

  @Test func `numbers are read as Foundation reads them`() throws {
    func decode<T: Decodable>(_ text: String) throws -> T {
      try RemoteDecoding().decode(from: Array(text.utf8))
    }
    #expect(try decode("1.0") as Int == 1)
    #expect(try decode("1e3") as Int == 1000)
    #expect(try decode("0.1") as Decimal == Decimal(string: "0.1"))
    #expect(try decode("99999999999999999999") as Double == 1e20)
    #expect(failure(UInt8.self, Array("256".utf8))?.message == "expected UInt8, found 256")
    #expect(failure(Int.self, Array("1e30".utf8))?.message == "expected Int, found a Double")
  }

  private func failure<T: Decodable>(
    _ type: T.Type,
    _ body: [UInt8],
    _ decoding: RemoteDecoding = RemoteDecoding()
  ) -> RemoteError? {
    do throws(RemoteError) {
      _ = try decoding.decode(T.self, from: body)
      return nil
    } catch {
      return error
    }
  }
}
