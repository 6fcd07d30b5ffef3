import Rehearsal
import SearchScenes
import Testing

@Test(arguments: Transcripts.in("Transcripts", program: "SearchShell"))
func `what was rehearsed still holds`(transcript: Transcript) throws {
  try transcript.replay(with: SearchScenes.all)
}
