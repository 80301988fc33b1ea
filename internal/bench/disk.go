package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"followup/internal/protocol"
	"followup/internal/rpc"
	"followup/internal/store"
	"followup/internal/store/sqlite"
)

// slowFlush is how long a flush of the slow disk takes.
const slowFlush = 40 * time.Millisecond

var besideDisk = part{
	"the sidecar beside its disk: requests that need nothing of it, while questions are withdrawn on a disk of 40 ms a flush; the measure: " +
		"the same without anything to write. Then 100 outcomes at once, of 10 sessions, on the disk as it is",
	printBesideDisk,
}

// countingStore counts transactions, and delays each.
type countingStore struct {
	store.Store
	commits *atomic.Int64
	delay   time.Duration
}

func (s countingStore) Commit(ctx context.Context, changes []store.Change) ([]store.Result, error) {
	s.commits.Add(1)
	time.Sleep(s.delay)
	return s.Store.Commit(ctx, changes)
}

// onDisk starts a sidecar whose transactions are counted.
func onDisk(delay time.Duration) (s *sidecar, commits *atomic.Int64, end func()) {
	folder, err := os.MkdirTemp("", "followup-bench-")
	check(err)
	commits = &atomic.Int64{}
	s = startSidecarIn(folder, func(ctx context.Context, folder string, o store.Options) (store.Store, store.Report, error) {
		opened, report, err := sqlite.Open(ctx, folder, o)
		return countingStore{opened, commits, delay}, report, err
	})
	return s, commits, func() {
		s.close()
		_ = os.RemoveAll(folder)
	}
}

// openQuestions asks questions in new sessions, and returns their ids.
func (s *sidecar) openQuestions(sessions, each int) (ids []string) {
	for range sessions {
		s.newSession()
		for range each {
			id := newID()
			rpc.Notify(s.conn, protocol.StreamAppend, protocol.StreamAppendParams{Session: s.session, StreamID: id, Text: callOf(20)})
			call(s, protocol.StreamEnd, protocol.StreamEndParams{Session: s.session, StreamID: id, Reason: protocol.StreamComplete})
		}
	}
	for _, item := range call(s, protocol.InboxSubscribe, protocol.None{}).Items {
		ids = append(ids, item.QuestionID)
	}
	return ids
}

// withdrawAll withdraws questions concurrently.
func (s *sidecar) withdrawAll(ids []string) {
	var all sync.WaitGroup
	for _, id := range ids {
		all.Go(func() { call(s, protocol.QuestionWithdraw, protocol.WithdrawParams{QuestionID: id}) })
	}
	all.Wait()
	for len(s.pending) > 0 { // these are not answered
		<-s.pending
	}
}

// trivial measures a request that does not need the disk, repeatedly until done is closed, or a number of times.
func (s *sidecar) trivial(done <-chan struct{}, times int) time.Duration {
	s.newSession()
	var took []time.Duration
	for range times {
		began := time.Now()
		call(s, protocol.SessionGet, protocol.SessionParams{Session: s.session})
		took = append(took, time.Since(began))
		select {
		case <-done:
			times = 0
		default:
		}
		if times == 0 {
			break
		}
	}
	slices.Sort(took)
	return took[len(took)/2]
}

func printBesideDisk(w io.Writer, turns int) {
	s, _, end := onDisk(slowFlush)
	defer end()
	var ratios []float64
	for range turns {
		quiet := s.trivial(nil, 2000)
		ids := s.openQuestions(5, 2)
		done := make(chan struct{})
		go func() {
			for _, id := range ids {
				s.withdrawAll([]string{id}) // one flush after the other
			}
			close(done)
		}()
		ratios = append(ratios, float64(s.trivial(done, 1<<30))/float64(quiet))
	}
	slices.Sort(ratios)
	fmt.Fprintf(w, "a request beside a disk of %v, p50\t%.2f times that of a quiet one\tat most 2\n", slowFlush, ratios[len(ratios)/2])
	fast, commits, endFast := onDisk(0)
	defer endFast()
	var flushes []int64
	for range turns {
		ids := fast.openQuestions(10, 10)
		before := commits.Load()
		fast.withdrawAll(ids)
		flushes = append(flushes, commits.Load()-before)
	}
	slices.Sort(flushes)
	fmt.Fprintf(w, "100 outcomes at once, of 10 sessions\t%d flushes (the median turn)\tat most 5\n", flushes[len(flushes)/2])
}
