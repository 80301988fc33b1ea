#!/bin/sh
# Says in one line which of the programs that every target needs is missing or too old. A script of Node could not say that Node is missing.

go_minor() { # the minor version of the installed Go, without the toolchain that it may download for this module
  (cd / && GOTOOLCHAIN=local go env GOVERSION 2>/dev/null) | sed -n 's/^go1\.\([0-9]*\).*/\1/p'
}
downloads() { # reports whether Go downloads the toolchain that go.mod names
  minor=$(go_minor)
  [ "${minor:-0}" -ge 21 ] && case $(cd / && go env GOTOOLCHAIN) in local*) false ;; esac
}
missing=
add() { missing="$missing${missing:+, }$1"; }
found() { command -v "$1" >/dev/null 2>&1; }

wanted=$(sed -n 's/^go 1\.\([0-9]*\).*/\1/p' "$(dirname "$0")/../../go.mod")
if ! found go; then
  add "Go 1.$wanted or newer (not found on the PATH)"
else
  minor=$(go_minor)
  [ "${minor:-0}" -ge "$wanted" ] || downloads || add "Go 1.$wanted or newer (found 1.${minor:-?})"
fi
if ! found node; then
  add "Node 20 or newer (not found on the PATH)"
else
  version=$(node --version)
  major=${version#v}
  [ "${major%%.*}" -ge 20 ] || add "Node 20 or newer (found ${version#v})"
fi
for name in npm git; do found $name || add "$name (not found on the PATH)"; done
[ -z "$missing" ] || {
  echo "This needs $missing." >&2
  exit 1
}
