# Everything a contributor does has a target here; `make` alone lists them.

# Only the targets that use them need Node.
VERSION  = $(shell node -p "require('./package.json').version")
TARGET   = $(shell node -p "process.platform + '-' + process.arch")
VSIX     = followup-$(TARGET).vsix
PEERS   := internal/bench/peers
RECIPES := extension/test/recipes
VSCE    := extension/scripts/package
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GORELEASER := github.com/goreleaser/goreleaser/v2@v2.13.3
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.DEFAULT_GOAL := help
.PHONY: help tools run test test-editor test-all test-agents test-recipes test-wine check soak bundles sidecar dependencies build package package-all archives tag lint words lint-all format generate bench fuzz pictures clean

help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

tools:
	@sh extension/scripts/tools.sh

run: tools ## open a page, then an editor, in which a sample agent asks a question
	@node extension/scripts/run.mjs

TEST := node extension/scripts/test.mjs $(if $(SHUFFLE),--shuffle=$(SHUFFLE))
test: node_modules ## test all but the real editor: Go, the extension's units, the page in Chromium (SHUFFLE=1: in a random order)
	@$(TEST) go unit webview

test-editor: node_modules ## install a real editor (1 GB) and test the main paths in it, with a real agent
	@$(TEST) editor

test-all: node_modules ## run test and test-editor, Go's tests with the race detector, as CI does
	@$(TEST) --race go unit webview editor

check: node_modules ## lint, and test what a change since main affects, without the real editor
	@node extension/scripts/check.mjs --golangci=$(GOLANGCI)

test-agents: package ## install eight agents' own binaries (2.5 GB) and run each against a scripted model
	@node extension/scripts/test-agents.mjs

test-recipes: node_modules $(RECIPES)/node_modules/.package-lock.json ## install the packages of the recipes in docs/http.md (150 MB) and run them
	node --test $(RECIPES)/recipes.test.mjs

test-wine: ## run the Windows program under Wine (2024 or newer), which must be installed
	go test -tags wine -count=1 ./cmd/followup -run '^TestWine$$'

soak: node_modules ## run the long tests for a night: 5,000 kills, leaks, long logs, a million questions, an hour of fuzzing
	@node extension/scripts/soak.mjs

bundles: node_modules
	@node extension/build.mjs

sidecar: bundles dependencies
	@node extension/scripts/package/sidecar.mjs

# `make run` shows its page sooner: the bundles need 10 of the 400 packages. The old stamp has other targets install the rest.
sidecar: export npm_config_omit := dev

dependencies:
	@node extension/scripts/package/sidecar.mjs --dependencies

# How the sidecar is built, by any target.
run sidecar dependencies build package package-all: export CGO_ENABLED := 0
run sidecar dependencies build package package-all: export GOFLAGS = -buildvcs=false -trimpath '-ldflags=-s -w -X main.release=$(VERSION)'

build: bundles ## build the sidecar (bin/) and the extension (extension/dist/)
	go build -o bin/ ./cmd/followup

package: bundles $(VSCE)/node_modules/.package-lock.json ## package the extension for this platform as one .vsix
	@node extension/scripts/package.mjs

package-all: bundles $(VSCE)/node_modules/.package-lock.json ## package the extension for all platforms, as published: packages/, with checksums and a bill of materials
	@node extension/scripts/package.mjs --all

archives: node_modules ## package the program without an editor for eight platforms: packages/, after package-all
	@node extension/build.mjs --only browser
	@node extension/scripts/archives.mjs --goreleaser=$(GORELEASER)

tag: node_modules ## create a release's commit and tag (SIGN=1: signed)
	@node extension/scripts/tag.mjs $(if $(SIGN),--sign)

lint: words node_modules ## check Go, TypeScript and workflows: words, vet, golangci-lint with the import rules, Biome, tsc, actionlint
	go vet ./...
	go vet -tags soak ./cmd/followup
	go run $(GOLANGCI) run
	npx --no-install biome check .
	npx --no-install tsc --noEmit -p .
	go run $(ACTIONLINT)

# Words that nearly always mark a sentence to rewrite, and how many are left; lower the number with each rewrite.
ODD_WORDS := tells|told|whoever|anew|is none of|what is over
ODD_LEFT := 4
words: ## check that no new line has an odd word
	@found=$$(git grep -nwiE '$(ODD_WORDS)' -- '*.go' '*.ts' '*.mjs' | wc -l); if [ $$found -gt $(ODD_LEFT) ]; then \
		git diff HEAD -U0 -- '*.go' '*.ts' '*.mjs' | grep -wiE '^\+.*($(ODD_WORDS))'; \
		echo "$$found lines have one of: $(ODD_WORDS). At most $(ODD_LEFT) may: say it plainly."; exit 1; fi

lint-all: lint ## run lint for the code of every system with a package
	GOOS=linux GOARCH=arm go vet ./...
	GOOS=freebsd go vet ./...
	go vet -tags nopostgres,nohub ./...
	go vet -tags wine ./cmd/followup
	set -e; for system in darwin windows; do \
		GOOS=$$system go vet ./...; go run -exec "env GOOS=$$system" $(GOLANGCI) run; done

format: node_modules ## format Go and TypeScript
	gofmt -w cmd internal
	npx --no-install biome check --write .

generate: ## generate the TypeScript types, docs/methods.md and the HTTP API's description from internal/protocol
	go generate ./internal/protocol

bench: node_modules $(PEERS)/node_modules/.package-lock.json ## print benchmark figures as ratios measured side by side
	@go run ./internal/bench

fuzz: ## run every fuzz target for 30 seconds
	@node extension/scripts/soak.mjs --each 30s fuzz

pictures: export FOLLOWUP_PROGRAM := $(CURDIR)/bin/followup
pictures: package ## install Claude Code (550 MB), retake the README's pictures, and take one of each state of the interface
	@node extension/scripts/install-editor.mjs
	@node extension/scripts/install-editor.mjs --only webp
	@node extension/scripts/install-agents.mjs @anthropic-ai/claude-code
	npx --no-install vitest run --config extension/test/editor/vitest.config.mts --mode pictures
	npx --no-install vitest run --config extension/test/webview/vitest.config.mts --mode screenshots

clean: ## remove the outputs of the other targets, except the editor's cache
	rm -rf bin packages extension/dist extension/test/out $(VSIX)

# npm writes this file last, so it is newer than the lock file exactly when everything is installed.
node_modules: node_modules/.package-lock.json
node_modules/.package-lock.json: package-lock.json | tools
$(PEERS)/node_modules/.package-lock.json: $(PEERS)/package-lock.json
$(RECIPES)/node_modules/.package-lock.json: $(RECIPES)/package-lock.json
$(VSCE)/node_modules/.package-lock.json: $(VSCE)/package-lock.json
node_modules/.package-lock.json $(addsuffix /node_modules/.package-lock.json,$(PEERS) $(RECIPES) $(VSCE)):
	cd $(dir $<) && npm ci --no-audit --no-fund
	@touch $(if $(npm_config_omit),-t 200001010000) $@
