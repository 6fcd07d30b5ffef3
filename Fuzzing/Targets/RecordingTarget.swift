import Timelines

/// Recordings in JSON, and all pictures of them.
struct RecordingTarget: FuzzTarget {
  let name = "recording"
  let words = [
    "\"format\"", "\"version\"", "\"lanes\"", "\"events\"", "\"passages\"", "\"end\"", "\"time\"",
    "\"lane\"", "\"attempt\"", "\"kind\"", "\"value\"", "0", "-1", "1e300", "99999999999", "null",
    "{", "}", "[", "]", ",", ":", "\"", "\\u0000", "</script>", "&", "\\u202e",
  ]

  func check(_ bytes: [UInt8]) throws(Finding) {
    let recording: Recording
    do throws(RecordingProblem) {
      recording = try Recording(json: bytes)
    } catch {
      return try require(!error.sentence.isEmpty, "a problem without words")
    }
    let json = recording.json
    guard let again = try? Recording(json: Array(json.utf8)) else {
      throw Finding("its own JSON cannot be read: \(json.prefix(300))")
    }
    try require(again.json == json, "its JSON is another one the second time")
    for format in TimelineFormat.all { try draw(recording, as: format) }
  }

  private func draw(_ recording: Recording, as format: TimelineFormat) throws(Finding) {
    let picture = format.text(of: recording)
    try require(picture.utf8.last == 0x0A, "the last line of '\(format.name)' does not end")
    try require(
      format.text(of: recording) == picture,
      "'\(format.name)' is another picture the second time"
    )
  }
}
