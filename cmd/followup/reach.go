package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"followup/internal/push"
	"followup/internal/reach"
	"followup/internal/server"
)

// keeperProgram is the path of the program that clients start as a keeper. If empty, the keeper runs in this process.
var keeperProgram string

// graceVariable overrides how long questions of bound sessions wait for their clients after a restart.
const graceVariable = "FOLLOWUP_KEEPER_GRACE"

// pushPrivateVariable, if not empty, permits push services in private networks and without encryption.
const pushPrivateVariable = "FOLLOWUP_PUSH_PRIVATE"

// reach returns how this process reaches its keeper.
func (p process) reach(log *zap.Logger) reach.Reach {
	return reach.Reach{
		Env: p.env, Log: log, Program: keeperProgram, Build: thisBuild(), Installs: release != development, Host: hostOptions(p.env, log),
	}
}

// relay connects a page to the keeper. It does not report the page's end as an error.
func (p process) relay(log *zap.Logger) func(ctx context.Context, in io.ReadCloser, out io.Writer) {
	return func(ctx context.Context, in io.ReadCloser, out io.Writer) {
		relay := reach.Relay{Reach: p.reach(log)}
		_ = relay.Serve(ctx, in, out)
	}
}

// hostOptions returns the options of a keeper, in any process.
func hostOptions(env func(string) string, log *zap.Logger) server.Options {
	grace, _ := time.ParseDuration(env(graceVariable)) // zero means the default
	contact, err := pushContact(env)
	if err != nil {
		log.Warn("push services get the default contact", zap.Error(err))
	}
	return server.Options{
		Log: log, Version: version(), PID: os.Getpid(), OpenStore: openEngine, Env: env, Grace: grace, NewID: newID,
		Push: push.Options{Private: env(pushPrivateVariable) != "", Contact: contact},
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
