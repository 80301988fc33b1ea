package server

import (
	"strings"
	"testing"

	"followup/internal/locale"
)

// The user sees all of an email: who gets a copy, the subject, and the text behind the fields.
func TestDescribeMail(t *testing.T) {
	t.Parallel()
	for href, want := range map[string]string{
		"mailto:a@b":                                       "a@b|",
		"MAILTO:a@b,c@d?To=e%40f":                          "a@b,c@d, e@f|",
		"mailto:a@b?BCC=c+d@e&body=1+1&body=2":             "a@b|Bcc: c+d@e\n\n1+1\n2",
		"mailto:a@b?cc=x%0D%0Abcc:y&%62cc=z":               "a@b|Cc: x bcc:y\nBcc: z",
		"mailto:a@b?subject=50%&flag":                      "a@b|Subject: 50%\nflag: ",
		"mailto:%E2%80%AEa@b?cc=%00x":                      "U+202Ea@b|Cc: U+0000x",
		"mailto:a@b?subject=x=y#cc=z":                      "a@b|Subject: x=y",
		"mailto:a@b?cc=c@d&x-y=z&body=One%0D%0ABcc:%20no":  "a@b|Cc: c@d\nx-y: z\n\nOne\nBcc: no",
		"mailto:a@b?body=%0A%0ABcc:%20spy@e&subject=%FFok": "a@b|Subject: %FFok\n\n\n\nBcc: spy@e",
		"mailto:?to=a@b":                                   "a@b|",
	} {
		d := describeMail(href, locale.English)
		to, detail, _ := strings.Cut(want, "|")
		if d.Question != "Write an email to "+to+"?" || d.Detail != detail {
			t.Errorf("%s is %+v, want %q", href, d, want)
		}
	}
}
