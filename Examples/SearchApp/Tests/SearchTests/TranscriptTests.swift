import Rehearsal
import RehearsalTesting
import SearchScenes
import Testing

@Test(arguments: Transcripts.in("Transcripts", program: "SearchShell"))
func `a transcript still holds`(transcript: Transcript) {
  transcript.check(with: SearchScenes.all)
}
