import Rehearsal
import SearchScenes
import Testing
import TranscriptTesting

@Test(arguments: Transcripts.in("Transcripts", program: "SearchShell"))
func `a transcript still holds`(transcript: Transcript) {
  transcript.check(with: SearchScenes.all)
}
