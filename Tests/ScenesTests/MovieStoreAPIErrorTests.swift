import RemoteLoading
import Testing

@testable import Scenes

@Suite struct MovieStoreAPIErrorTests {
  private struct Surprise: Error {}

  @Test(arguments: [
    (RemoteError.transport(.offline) as any Error, "urlError -1009: there is no network"),
    (TransportError.unsupportedURL, "urlError -1002: the URL is not an absolute http or https URL"),
    (RemoteError.status(500), "responseError 500: bad response code"),
    (
      RemoteError.decoding(path: "results", expected: "an array", found: "nothing"),
      "decodingError: results: expected an array, found nothing"
    ),
    (RemoteError.transport(.other("a riddle")), "genericError: a riddle"),
    (Surprise(), "genericError: Surprise()"),
  ])
  func `each error has its case, code and message`(error: any Error, text: String) {
    #expect(MovieStoreAPIError(error).description == text)
  }
}
