// Package transcripts replays a folder of files by datadriven: what a directive's input says is its output.
package transcripts

import (
	"flag"
	"testing"

	"github.com/cockroachdb/datadriven"
)

func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, flag.Arg(0), func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Input == "" {
				return ""
			}
			return d.Input + "\n"
		})
	})
}
