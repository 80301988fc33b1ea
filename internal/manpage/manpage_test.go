package manpage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestWrite(t *testing.T) {
	root := &cobra.Command{Use: "tool", Short: "Do things", Long: "Do things.\n\n\ttool do\n\nExit status: 0 done."}
	do := &cobra.Command{
		Use: "do THING", Short: "Do a thing", Long: "Do\na \"thing\" \\ or\n.two.", Example: "  tool do 'it'", Run: func(*cobra.Command, []string) {},
	}
	do.Flags().Bool("all", false, "do `everything`")
	root.AddCommand(do, &cobra.Command{Use: "secret", Hidden: true, Run: func(*cobra.Command, []string) {}})
	dir := t.TempDir()
	if err := Write(root, dir, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	written := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		written[entry.Name()] = string(text)
	}
	want := map[string]string{
		"tool.1": `.TH TOOL 1 "" "tool 1.2.3" "Tool"
.SH NAME
tool \- do things
.SH SYNOPSIS
\fBtool\fR
.br
\fBtool\fR COMMAND
.SH DESCRIPTION
.PP
Do things.
.EX
  tool do
.EE
.SH COMMANDS
.TP
\fBdo\fR
Do a thing
.SH OPTIONS
.TP
\fB\-h, \-\-help\fR
help for tool
.SH EXIT STATUS
0 done.
.SH SEE ALSO
.BR tool\-do (1)
`,
		"tool-do.1": `.TH TOOL-DO 1 "" "tool 1.2.3" "Tool"
.SH NAME
tool\-do \- do a thing
.SH SYNOPSIS
\fBtool do\fR THING [flags]
.SH DESCRIPTION
.PP
Do a "thing" \e or .two.
.SH OPTIONS
.TP
\fB\-\-all everything\fR
do everything
.TP
\fB\-h, \-\-help\fR
help for do
.SH EXAMPLES
.EX
  tool do \(aqit\(aq
.EE
.SH SEE ALSO
.BR tool (1)
`,
	}
	if diff := cmp.Diff(want, written); diff != "" {
		t.Error(diff)
	}
	if got := roff(".begins"); got != `\&.begins` {
		t.Errorf("%q is a request", got)
	}
}
