import Foundation
import RemoteLoading
import Testing
import URLSessionHTTP

@Suite struct TransportErrorTests {
  @Test(arguments: [
    (URLError.Code.cannotConnectToHost, "", TransportError.refused),
    (.networkConnectionLost, "", .reset),
    (.timedOut, "", .timedOut),
    (.cancelled, "", .cancelled),
    (.cannotFindHost, "", .unresolved),
    (.dnsLookupFailed, "", .unresolved),
    (.notConnectedToInternet, "", .offline),
    (.badURL, "", .unsupportedURL),
    (.httpTooManyRedirects, "", .tooManyRedirects([])),
    (.secureConnectionFailed, "", .insecure),
    (.serverCertificateUntrusted, "", .insecure),
    (.cannotParseResponse, "", .malformed),
    (.badServerResponse, "Empty reply from server", .empty),
    (.badServerResponse, "", .malformed),
    (.unsupportedURL, "unsupported URL", .unsupportedURL),
    (.unsupportedURL, "Received HTTP/0.9 when not allowed", .malformed),
    (.unsupportedURL, "Unsupported HTTP version in response", .malformed),
    (.unknown, "transfer closed with 900 bytes remaining to read", .truncated),
    (.unknown, "transfer closed with outstanding read data remaining", .truncated),
    (.unknown, "Illegal or missing hexadecimal sequence in chunked-encoding", .malformed),
    (.unknown, "SSL certificate problem: self-signed certificate", .insecure),
    (.unknown, "Unrecognized content encoding type. libcurl understands gzip", .malformed),
    (.unknown, "Out of memory", .other("Out of memory")),
    (.cannotCreateFile, "", .other("URLError -3000")),
  ])
  func `a code and its text have one meaning`(
    code: URLError.Code,
    text: String,
    expected: TransportError
  ) {
    let userInfo = text.isEmpty ? [:] : [NSLocalizedDescriptionKey: text]
    #expect(TransportError(URLError(code, userInfo: userInfo)) == expected)
  }
}
