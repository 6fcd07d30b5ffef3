// Package transcripts replays a folder of files by datadriven: a directive prints its input.
// Each line begins with a bar, because leading spaces would be trimmed.
package transcripts

import (
	"flag"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, flag.Arg(0), func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var output strings.Builder
			for _, line := range strings.Split(d.Input, "\n") {
				if line != "" {
					output.WriteString(line[1:] + "\n")
				}
			}
			return output.String()
		})
	})
}
