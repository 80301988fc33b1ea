package secretfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	folder := t.TempDir()
	for name, test := range map[string]struct {
		content, want string
		mode          os.FileMode
		err           error
	}{
		"secret":   {" a secret\r\n", "a secret", 0o600, nil},
		"longest":  {strings.Repeat("x", maxLength), strings.Repeat("x", maxLength), 0o400, nil},
		"too long": {strings.Repeat("x", maxLength+1), "", 0o600, ErrNone},
		"empty":    {" \n", "", 0o600, ErrNone},
		"open":     {"a secret", "", 0o640, &OpenError{}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, name)
			if err := errors.Join(os.WriteFile(path, []byte(test.content), 0o600), os.Chmod(path, test.mode)); err != nil {
				t.Fatal(err)
			}
			got, err := Read(path)
			var open *OpenError
			if errors.As(test.err, &open) {
				if runtime.GOOS != "windows" && (!errors.As(err, &open) || open.Mode != test.mode || got != "" || !strings.Contains(err.Error(), "chmod 600 "+path)) {
					t.Errorf("%q, %v", got, err)
				}
				return
			}
			if !errors.Is(err, test.err) || err == nil && got != test.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	if _, err := Read(folder); !errors.Is(err, ErrNone) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}
