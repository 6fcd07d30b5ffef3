import MockHTTP
import Testing

@testable import Script

@Suite struct RouteMistakeTests {
  @Test(arguments: [
    ("GTE /x 200", "GTE", "there is no method 'GTE'", "did you mean 'GET'?"),
    ("get /x 200", "get", "there is no method 'get'", "did you mean 'GET'?"),
    (
      "\"A B\" /x 200", "\"A B\"", "there is no method 'A B'",
      "a method is a word without blanks, as in GET"
    ),
    (
      "GET posts 200", "posts",
      "not a path or an address: it must begin with '/', 'http://' or 'https://'",
      "did you mean '/posts'?"
    ),
    (
      "localhost:80/x 200", "localhost:80/x",
      "not a path or an address: it must begin with '/', 'http://' or 'https://'",
      "did you mean 'http://localhost:80/x'?"
    ),
    (
      "ftp://a/b 200", "ftp", "not a path or an address: 'ftp' is not a scheme of HTTP",
      "the schemes are http and https"
    ),
    (
      "http:///b 200", "http:///b", "not a path or an address: '' is not a host",
      "a host is a name or an address in ASCII, as in 'localhost:8080'"
    ),
    ("http://a:99999/ 200", ":99999", "'99999' is not a port from 1 to 65535", nil),
    (
      "http://me:pw@a/ 200", "me:pw@",
      "not a path or an address: an address must not have a name or password",
      "send it in a header: with Authorization \"…\""
    ),
    (
      "/a%2 200", "%2", "not a path or an address: two hexadecimal digits must follow '%'",
      "write '%' itself as %25"
    ),
    (
      "/a%zz/b 200", "%zz", "not a path or an address: two hexadecimal digits must follow '%'",
      "write '%' itself as %25"
    ),
    (
      "/%FF 200", "%FF", "not a path or an address: its escapes are not UTF-8",
      "é is written as %C3%A9 or é"
    ),
    (
      "/users/{id 200", "{id", "not a path or an address: '{' is never closed",
      "close it with '}', or write '{' as %7B"
    ),
    (
      "/users/a{id} 200", "a{id}",
      "not a path or an address: a capture must be a whole segment or a whole value of the query",
      "as in /users/{id} or ?page={page}; write '{' itself as %7B"
    ),
    (
      "/{id}/{id} 200", "{id}", "'{id}' is captured twice",
      "give each capture another name; {any} may occur more than once"
    ),
    (
      "/{} 200", "{}", "not a path or an address: '{}' has no name",
      "a name is made of letters, digits, '_' and '-', as in {id}"
    ),
    (
      "/{rest...}/x 200", "{rest...}",
      "not a path or an address: '{rest...}' matches all remaining segments",
      "move it to the end of the path"
    ),
    (
      "/a#b 200", "#b",
      "not a path or an address: '#' and the text after it are never sent to a server",
      "remove it, or write '#' as %23"
    ),
    (
      "/x?=1 200", "=1", "not a path or an address: a value in the query has no name",
      "write it as in '/posts?page=2&sort=title'"
    ),
    ("/x 99", "99", "'99' is not a whole number from 200 to 599", "as in 200, 404 or 503"),
    ("/x 600", "600", "'600' is not a whole number from 200 to 599", "as in 200, 404 or 503"),
    (
      "/x refuse", "refuse", "expected a status or a fault, but found 'refuse'",
      "did you mean 'refused'?"
    ),
    (
      "/x", "", "expected a status or a fault, but the command ends here",
      "a status is a number like 200; the faults are refused, reset, empty, garbage, never, tls"
    ),
    ("/x 200 \"a\"", "\"", "did not expect '\"' here", "name its type: json, text or html"),
    ("/x 200 json 1 json 2", "json", "'json' is given twice", nil),
    ("/x 200 json 1 text \"a\"", "text", "'json' and 'text' exclude each other", nil),
    (
      "/x 204 json 1", "json", "an answer with status 204 has no body, but 'json' needs one",
      "leave it out, or answer 200"
    ),
    (
      "/x 304 chunked", "chunked",
      "an answer with status 304 has no body, but 'chunked' needs one",
      "leave it out, or answer 200"
    ),
    (
      "/x 200 gzip", "gzip", "'gzip' needs a body, but there is none",
      "choose the body: json, text, html, file, bytes or base64"
    ),
    (
      "/x 200 dripping 2 chunks over 1s", "dripping",
      "'dripping' needs a body, but there is none",
      "choose the body: json, text, html, file, bytes or base64"
    ),
    (
      "/x 200 to /y", "to", "'to' is the target of a redirect, but status 200 is not a redirect",
      "answer 301, 302, 303, 307 or 308, or write: with Location \"…\""
    ),
    (
      "/x 200 text \"abcd\" cut after 5 bytes", "cut",
      "'cut' comes after 5 bytes, but the body has 4",
      "name a place in the body, as in '2 bytes'"
    ),
    (
      "/x 200 silent after 0", "silent", "'silent' comes after 0 bytes, but the body has 0",
      "give it a body"
    ),
    (
      "/x 200 text \"a\" chunked claiming 3", "claiming",
      "'chunked' and 'claiming' exclude each other",
      nil
    ),
    (
      "/x 200 reset", "", "expected 'after', but the command ends here",
      "name the place: 'reset after 100 bytes'"
    ),
    (
      "/x 200 bytes 1 cut after 5 mbs", "mbs", "did not expect 'mbs' here", nil
    ),
    (
      "/x 200 bytes 5mbs", "mbs", "there is no unit 'mbs'",
      "the units are B, kB, MB, GB, KiB and MiB"
    ),
    (
      "/x 200 bytes 1 GB", "1 GB", "'1 GB' is not a whole number from 0 to 256000000", nil
    ),
    (
      "/x 200 bytes 1.5", "1.5", "'1.5' is not a whole number from 0 to 256000000", nil
    ),
    (
      "/x 200 base64 \"A\"", "\"A\"", "not base64",
      "it has A-Z, a-z, 0-9, '+' and '/' in groups of four, padded with '='"
    ),
    (
      "/x 200 with json \"1\"", "json", "'json' is a word of 'route'",
      "write the name of a header field first, as in: with Cache-Control \"no-store\""
    ),
    (
      "/x 200 with A no-store", "no-store", "expected a header's value, but found 'no-store'",
      "write it in quotes, as in \"no-store\""
    ),
    (
      "/x 200 with A \"a\\r\\nB: c\"", "\"a\\r\\nB: c\"",
      "not a header field: its value has a control character", "a value is one line of text"
    ),
    (
      "/x 200 with Ä \"a\"", "Ä", "not a header field: 'Ä' is not a name",
      "a name is made of letters, digits and '-', as in Cache-Control"
    ),
    (
      "/x 200 after 2s to 1s", "2s to 1s", "'2s to 1s' ends before it begins",
      "write the shorter duration first"
    ),
    (
      "/x 200 after lognormal 1s sigma 4", "4", "'4' is not a number from 0 to 3",
      "0 always gives the median, 0.5 is typical of web servers"
    ),
    (
      "/x 200 after lognormal 1s", "", "expected 'sigma', but the command ends here",
      "name the spread: 'sigma 0.5'"
    ),
    (
      "/x 200 then loop", "loop", "expected an action after the last answer, but found 'loop'",
      "one of repeat, cycle, pass, fail"
    ),
    (
      "/x 200 then cicle", "cicle", "expected an action after the last answer, but found 'cicle'",
      "did you mean 'cycle'?"
    ),
    (
      "/x 200 body {}", "{", "expected 'containing' or 'json', but found '{'",
      "the body of an answer follows its status"
    ),
    (
      "/x 200 header A {b", "{b", "not a path or an address: a capture is a name in braces",
      "as in: header Authorization {token}"
    ),
    (
      "/{a} 200 header A {a}", "{a}", "'{a}' is captured twice",
      "give each capture another name; {any} may occur more than once"
    ),
  ])
  func `a mistake is named, with its place and a hint`(
    text: String,
    place: String,
    sentence: String,
    hint: String?
  ) {
    do throws(Diagnostic) {
      _ = try route(text)
      Issue.record("It was accepted.")
    } catch {
      #expect(error.problem.sentence == sentence)
      #expect(String(decoding: Array(text.utf8)[error.span], as: UTF8.self) == place)
      #expect(error.hint == hint)
    }
  }

  @Test func `a route has at most a thousand answers`() throws {
    let answers = { Array(repeating: "200", count: $0).joined(separator: ", ") }
    #expect(try route("/x " + answers(1000)).route.answers.count == 1000)
    #expect { try route("/x " + answers(1001)) } throws: {
      ($0 as? Diagnostic)?.problem == .tooMany("answers", limit: 1000)
    }
  }
}
