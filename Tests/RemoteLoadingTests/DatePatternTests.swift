import FoundationEssentials
import Testing

@testable import RemoteLoading

@Suite struct DatePatternTests {
  @Test(arguments: [
    ("yyyy-MM-dd", "2019-11-22", 1_574_380_800.0), ("yyyy-MM-dd", "1970-01-01", 0),
    ("yyyy-MM-dd", "2000-02-29", 951_782_400), ("yyyy-MM-dd", "1969-12-31", -86_400),
    ("yyyy-MM-dd", "0001-01-01", -62_135_596_800), ("yyyy-MM-dd", "9999-12-31", 253_402_214_400),
    ("dd.MM.yyyy HH:mm", "22.11.2019 08:30", 1_574_411_400), ("yyyy", "2019", 1_546_300_800),
    ("yyyyMMdd'T'HHmmss", "20191122T083000", 1_574_411_400),
    ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2019-11-22T08:30:00.250Z", 1_574_411_400.25),
    ("yyyy-MM-dd HH:mm:ssXXX", "2019-11-22 08:30:00+01:30", 1_574_406_000),
    ("yyyy-MM-dd HH:mm:ssXXX", "2019-11-22 08:30:00-01:30", 1_574_416_800),
    ("yyyy 'o''clock'", "2019 o'clock", 1_546_300_800), ("yyyy''MM", "2019'01", 1_546_300_800),
  ])
  func `a date is parsed by its pattern`(pattern: String, text: String, seconds: Double) throws {
    #expect(try DatePattern(pattern).date(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test func `every day of four centuries follows the previous one`() throws {
    let pattern = try DatePattern("yyyy-MM-dd")
    var days = 0
    for year in 1800...2199 {
      for month in 1...12 {
        for day in 1...31 {
          let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
          guard let date = pattern.date(text) else { continue }
          #expect(date.timeIntervalSince1970 == Double(days - 62_091) * 86_400)
          days += 1
        }
      }
    }
    #expect(days == 146_097)
  }

  @Test(arguments: [
    "2019-11-31", "2019-02-29", "1900-02-29", "2019-13-01", "2019-00-01", "2019-01-00",
    "0000-01-01",
    "2019-1-01", "19-01-01", "2019-01-01 ", " 2019-01-01", "2019-01-01T", "2019/01/01", "", "2019",
    "２０１９-01-01", "2019-01-0x", "+019-01-01",
  ])
  func `a date that does not exist or match is rejected`(text: String) throws {
    #expect(try DatePattern("yyyy-MM-dd").date(text) == nil)
  }

  @Test(arguments: [
    ("2019-11-22T08:30:00Z", true), ("2019-11-22T08:30:00.5Z", true),
    ("2019-11-22T08:30:00.123456789+02:00", true), ("2019-11-22T08:30:00", false),
    ("2019-11-22", false), ("2019-11-22T24:00:00Z", false), ("2019-11-22T08:60:00Z", false),
    ("2019-11-22T08:30:60Z", false), ("2019-11-22T08:30:00.Z", false),
    ("2019-11-22T08:30:00+0200", false), ("2019-11-22 08:30:00Z", false),
  ])
  func `ISO 8601 has a date, a time and a zone`(text: String, isDate: Bool) {
    #expect((DatePattern.iso8601.date(text) != nil) == isDate)
  }

  @Test(arguments: [
    ("yyyy-mm-dd", "mm is the minute, but there is no hour; write MM for the month"),
    ("yyyy-MM-dd HH:MM", "MM occurs twice in yyyy-MM-dd HH:MM; write mm for the minute"),
    ("yyyy-mm-dd HH:mm", "mm occurs twice in yyyy-mm-dd HH:mm; write MM for the month"),
    ("YYYY-MM-dd", "YYYY is not a date field; write the year as yyyy"),
    ("yy-MM-dd", "yy is not a date field; write the year as yyyy"),
    ("yyyy-MM-DD", "DD is not a date field; write the day of the month as dd"),
    ("yyyy-MMM-dd", "MMM is not a date field; write the month as MM"),
    ("yyyy-MM-dd hh:mm", "hh is not a date field; write the hour from 0 to 23 as HH"),
    (
      "yyyy-MM-ddTHH",
      "T is not a date field; put literal letters in quotes, as 'T'"
    ),
    ("yyyy-MM-dd'T", "a quote in yyyy-MM-dd'T is not closed; add ' after the letters"),
    ("MM-dd", "no year in MM-dd; write it as yyyy"), ("", "no year in ; write it as yyyy"),
    ("yyyy-dd", "no month in yyyy-dd; write it as MM"),
    (
      "yyyy-MM-dd HH:mm:ss.SSSSSSSSSS",
      "SSSSSSSSSS is not a date field; write at most nine digits of a second, as SSS"
    ),
  ])
  func `an ambiguous or wrong pattern is rejected with a hint`(pattern: String, words: String) {
    let problem = #expect(throws: DatePattern.Problem.self) { try DatePattern(pattern) }
    #expect(problem?.description == words)
  }
}
