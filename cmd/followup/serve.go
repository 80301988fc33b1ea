package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/google/uuid"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"followup/internal/server"
	"followup/internal/store/sqlite"
)

// serve is "followup serve": the sidecar itself.
func serve(p process) int {
	flags := flag.NewFlagSet("followup serve", flag.ContinueOnError)
	flags.SetOutput(p.stderr)
	level := zap.DebugLevel // the editor's output channel has a level of its own
	flags.Var(&level, "log-level", "the least `level` that is logged: debug, info, warn or error")
	lease := flags.Duration("lease", server.DefaultLease, "how `long` a process that shares the storage folder is taken to live after it was last heard of")
	flags.Usage = func() {
		fmt.Fprint(p.stderr, "usage: followup serve [--log-level LEVEL] [--lease DURATION]\n\n"+
			"Speaks JSON-RPC 2.0 with the framing of the Language Server Protocol on standard input and output,\n"+
			"and logs JSON lines on standard error. docs/protocol.md has the methods.\n\n")
		flags.PrintDefaults()
	}
	switch err := flags.Parse(p.args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return exitUsage
	case *lease <= 0:
		fmt.Fprintln(p.stderr, "followup serve: the lease must be longer than nothing")
		return exitUsage
	case flags.NArg() > 0:
		fmt.Fprintf(p.stderr, "followup serve: there is no argument %q\n", flags.Arg(0))
		return exitUsage
	}
	log := zap.New(zapcore.NewCore(
		zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.Lock(zapcore.AddSync(p.stderr)), level))
	defer func() { _ = log.Sync() }()
	return server.Serve(context.Background(), server.Options{
		In: p.stdin, Out: p.stdout, Log: log, Version: version(), PID: os.Getpid(),
		WatchParent: watchParent,
		OpenStore:   sqlite.Engine,
		Lease:       *lease,
		NewID:       func() string { return uuid.Must(uuid.NewV7()).String() },
	})
}
