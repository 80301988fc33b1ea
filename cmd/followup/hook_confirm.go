package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"go.uber.org/zap"

	"followup/internal/hook"
	"followup/internal/keeper"
	"followup/internal/locale"
	"followup/internal/protocol"
	"followup/internal/rpc"
)

// confirmFlag makes a hook a process that outlives the hook of a decision. Claude Code waits for the end of its hook before it acts, and
// logs what took effect after that.
const confirmFlag = "confirm"

// Limits of the wait for an agent's report. A decision without a report stays sent.
const (
	confirmTime = 10 * time.Second // for a plugin, which reports at once
	followTime  = 15 * time.Minute // for the log of a call, which may run for long
	followLook  = time.Second
)

// sentCall is what a hook passes on to the process that outlives it.
type sentCall struct {
	hook.Sent
	Agent   int    `json:"agent"`             // the agent's process id
	Storage string `json:"storage,omitempty"` // the storage folder, which the flag may name relative to another folder
}

// confirmLater reports which decision took effect, or has a process do it that outlives this one. Failures are only logged: the decision
// stays sent.
func confirmLater(ctx context.Context, p process, log *zap.Logger, sidecar *rpc.Conn, folder string, call *hook.Call, sent *hook.Sent) {
	if call.Follows() && sent.Effective == "" {
		waiting, cancel := context.WithTimeout(ctx, confirmTime)
		defer cancel()
		<-waiting.Done()
		var there hook.Closed
		if errors.As(context.Cause(ctx), &there) {
			sent.Effective = there.Effective
		}
	}
	var err error
	switch {
	case sent.Effective != "":
		soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), confirmTime)
		defer cancel()
		err = sent.Confirm(soon, sidecar)
	case sent.Call != "" && keeperProgram != "":
		input, _ := json.Marshal(sentCall{*sent, os.Getppid(), folder}) // only texts and a number
		err = keeper.Detach(bytes.NewReader(input), append([]string{keeperProgram}, append(p.args, "--"+confirmFlag)...)...)
	}
	if err != nil {
		log.Warn("could not confirm the decision", zap.Error(err))
	}
}

// runConfirm follows the log of a decided call, and reports which decision took effect.
func runConfirm(p process, level logLevel, at *place, to string, language locale.Tag) error {
	log := newLog(p, level)
	var sent sentCall
	if err := json.NewDecoder(p.stdin).Decode(&sent); err != nil {
		return fmt.Errorf("cannot read the decision: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), followTime)
	defer cancel()
	defer watchParent(sent.Agent, cancel)()
	sent.Follow(ctx, followLook)
	if sent.Effective == "" {
		return nil
	}
	if sent.Storage != "" {
		at.storage = sent.Storage
	}
	hub, folder, err := at.settle(p, language, log, to)
	if err != nil {
		return err
	}
	ctx, cancel = context.WithTimeout(context.Background(), followTime)
	defer cancel()
	own := p.reach(log).Dial(&rpc.Router{}, hub)
	defer own.EndIn(ctx)
	if err := own.Greet(ctx, protocol.InitializationOptions{Locale: string(language), StorageFolder: folder}); err != nil {
		return err
	}
	return sent.Confirm(ctx, own.Conn)
}
