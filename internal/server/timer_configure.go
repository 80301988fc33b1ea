package server

import (
	"context"
	"math"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"followup/internal/protocol"
	"followup/internal/rpc"
)

func (s *Server) timerConfigure(_ context.Context, p protocol.TimerConfigureParams) (protocol.None, error) {
	if p.After < 0 || int64(p.After) > math.MaxInt64/int64(time.Millisecond) {
		return protocol.None{}, rpc.Errorf(jsonrpc2.CodeInvalidParams, "after is %d; it must be a time in milliseconds", p.After)
	}
	s.registry.Enter()
	defer s.registry.Leave()
	s.registry.SetTimed(time.Duration(p.After) * time.Millisecond)
	return protocol.None{}, nil
}
