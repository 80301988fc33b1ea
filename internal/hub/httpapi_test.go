package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/zap"

	"followup/internal/httpapi"
	"followup/internal/protocol"
	"followup/internal/rpctest"
	"followup/internal/waits"
	"followup/internal/web"
	"followup/internal/webhook"
)

// door serves a hub's API, and returns a function that sends requests about a question to it.
func door(t *testing.T, s *site) func(token, method, path, body string) (int, protocol.AskResult) {
	t.Helper()
	send := programs(t, s)
	return func(token, method, path, body string) (int, protocol.AskResult) {
		t.Helper()
		status, got := send(token, method, path, body)
		var result protocol.AskResult
		_ = json.Unmarshal(got, &result)
		return status, result
	}
}

// programs serves a hub's API, and returns a function that sends requests to it.
func programs(t *testing.T, s *site) func(token, method, path, body string) (int, []byte) {
	t.Helper()
	send := programsUntil(t, s)
	return func(token, method, path, body string) (int, []byte) {
		t.Helper()
		return send(t.Context(), token, method, path, body)
	}
}

// programsUntil is programs for requests that end with a context; their status is 0.
func programsUntil(t *testing.T, s *site) func(ctx context.Context, token, method, path, body string) (int, []byte) {
	t.Helper()
	api := httpapi.New(httpapi.Options{
		Enter: func(token string) (web.Visit, *web.Refusal) { return s.hub.Enter(token, web.Program) }, Callbacks: webhook.Off, Log: zap.NewNop(),
	})
	t.Cleanup(api.Close)
	mux := http.NewServeMux()
	for pattern, handle := range api.Handlers() {
		mux.HandleFunc(pattern, handle)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return func(ctx context.Context, token, method, path, body string) (int, []byte) {
		t.Helper()
		request, err := http.NewRequestWithContext(ctx, method, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		switch {
		case err != nil && ctx.Err() != nil:
			return 0, nil
		case err != nil:
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		got, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, got
	}
}

// Programs ask with agents' tokens. Each only reaches its own questions, even by the same id, and none after its token is revoked.
func TestHTTPAPI(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci, nightly, ann := invited(t, accounts, "ci", true), invited(t, accounts, "nightly", true), invited(t, accounts, "Ann", false)
	s := serve(t, storage, nil)
	hers := s.watch(ann)
	do := door(t, s)
	id := rpctest.NewID()
	const questions = "/v1/questions"
	body := fmt.Sprintf(`{"id":%q,"agent":"Deployer","question":"Deploy?","to":"Ann"}`, id)
	if status, got := do(ci, "POST", questions, body); status != http.StatusCreated || got.QuestionID != id {
		t.Fatalf("%d %+v", status, got)
	}
	if item := hers.UntilState(id, protocol.ItemPending); item.Agent != "Deployer · ci" || item.To != "Ann" {
		t.Errorf("got %+v", item)
	}
	for name, token := range map[string]string{"another's": nightly, "a person's": ann, "nobody's": "x"} {
		want := map[string]int{"another's": 404, "a person's": 403, "nobody's": 401}[name]
		if status, _ := do(token, "GET", questions+"/"+id, ""); status != want {
			t.Errorf("%s: %d", name, status)
		}
		if status, _ := do(token, "DELETE", questions+"/"+id, ""); status != want {
			t.Errorf("%s: %d", name, status)
		}
	}
	if status, _ := do(ann, "POST", questions, body); status != http.StatusForbidden {
		t.Errorf("a person's question: %d", status)
	}
	if status, got := do(nightly, "POST", questions, `{"id":"`+id+`","question":"Mine?","to":"Ann"}`); status != http.StatusCreated || got.QuestionID != id {
		t.Errorf("the same id of another account: %d %+v", status, got)
	}
	rpctest.Call(hers.Editor, protocol.QuestionAnswer, typed(id, "yes"))
	if status, got := do(ci, "GET", questions+"/"+id+"?wait=60s", ""); status != http.StatusOK || got.Text != "yes" {
		t.Errorf("%d %+v", status, got)
	}
	if status, got := do(nightly, "GET", questions+"/"+id, ""); status != http.StatusOK || got.Outcome != protocol.OutcomeWaiting || got.QuestionID != id {
		t.Errorf("%d %+v", status, got)
	}
	// Each lists its own, whatever its agents are called.
	if status, got := do(nightly, "POST", questions, `{"agent":"Deployer · ci","question":"Whose?"}`); status != http.StatusCreated {
		t.Errorf("%d %+v", status, got)
	} else {
		hers.UntilState(got.QuestionID, protocol.ItemPending)
		rpctest.Call(hers.Editor, protocol.QuestionAnswer, typed(got.QuestionID, "nightly's"))
	}
	send := programs(t, s)
	texts := func(token, outcome string) (all []string) {
		t.Helper()
		status, body := send(token, "GET", questions+"?outcome="+outcome, "")
		var page protocol.APIQuestions
		if err := json.Unmarshal(body, &page); err != nil || status != http.StatusOK || page.Next != "" {
			t.Fatalf("%d %s: %v", status, body, err)
		}
		for _, one := range page.Questions {
			all = append(all, one.QuestionID+" "+one.Text)
		}
		return all
	}
	if got := texts(ci, "answered"); !slices.Equal(got, []string{id + " yes"}) {
		t.Errorf("ci: %q", got)
	}
	if got := texts(nightly, "answered"); len(got) != 1 || !strings.HasSuffix(got[0], " nightly's") {
		t.Errorf("nightly: %q", got)
	}
	if got := texts(nightly, "waiting"); !slices.Equal(got, []string{id + " "}) {
		t.Errorf("nightly's open ones: %q", got)
	}
	if got := texts(ci, "waiting"); len(got) > 0 {
		t.Errorf("ci's open ones: %q", got)
	}
	if status, _ := send(ann, "GET", questions, ""); status != http.StatusForbidden {
		t.Errorf("a person's list: %d", status)
	}
	if status, _ := do(ci, "POST", questions, `{"question":"Q?","to":"Nobody"}`); status != http.StatusUnprocessableEntity {
		t.Errorf("for nobody: %d", status)
	}
	if status, _ := do(ci, "POST", questions, `{"question":"Q?","callback":{"url":"https://example.com"}}`); status != http.StatusForbidden {
		t.Errorf("a callback: %d", status)
	}
	if err := Revoke(t.Context(), accounts, DefaultTeam, "ci", false); err != nil {
		t.Fatal(err)
	}
	waits.Until(t, "the token is refused", func() bool {
		status, _ := do(ci, "GET", questions+"/"+id, "")
		return status == http.StatusUnauthorized
	})
}

// Programs that hung up while they waited free the account's running requests at the hub.
func TestProgramsThatHungUp(t *testing.T) {
	t.Parallel()
	const requests = 4
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci := invited(t, accounts, "ci", true)
	s := serve(t, storage, func(o *Options) { o.MaxWaiting = requests })
	send := programsUntil(t, s)
	_, body := send(t.Context(), ci, "POST", "/v1/questions", `{"question":"Q?"}`)
	var asked protocol.AskResult
	if err := json.Unmarshal(body, &asked); err != nil || asked.QuestionID == "" {
		t.Fatalf("%s: %v", body, err)
	}
	path := "/v1/questions/" + asked.QuestionID
	running := func() int { return len(s.hub.directory.limits(name{DefaultTeam, "ci"}, s.hub.options).slots) }
	waits.Until(t, "the request that asked is over", func() bool { return running() == 0 })
	stays := make(chan []byte, 1) // its wait began first, so a place that is held for the whole wait is held longer
	go func() {
		_, body := send(t.Context(), ci, "GET", path+"?wait=60s", "")
		stays <- body
	}()
	waits.Until(t, "the first request is running", func() bool { return running() == 1 })
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	var all sync.WaitGroup
	for range requests - 1 {
		all.Go(func() { send(ctx, ci, "GET", path+"?wait=60s", "") })
	}
	waits.Until(t, "all requests are running", func() bool { return running() == requests })
	if status, body := send(t.Context(), ci, "GET", path, ""); status != http.StatusTooManyRequests {
		t.Errorf("beyond the limit: %d %s", status, body)
	}
	hangUp()
	all.Wait()
	waits.Until(t, "the others are not running any more", func() bool { return running() <= 1 })
	if status, body := send(t.Context(), ci, "DELETE", path, ""); status != http.StatusOK {
		t.Errorf("after they hung up: %d %s", status, body)
	}
	if body := waits.For(t, stays); !strings.Contains(string(body), `"withdrawn"`) {
		t.Errorf("the places were held for the whole wait: %s", body)
	}
}

// A program that waits for an outcome when its token is revoked gets 401.
func TestTokenIsRevokedDuringARequest(t *testing.T) {
	t.Parallel()
	storage := t.TempDir()
	accounts := opened(t, storage)
	ci := invited(t, accounts, "ci", true)
	s := serve(t, storage, nil)
	do := door(t, s)
	status, asked := do(ci, "POST", "/v1/questions", `{"question":"Q?"}`)
	if status != http.StatusCreated {
		t.Fatalf("%d %+v", status, asked)
	}
	waiting := make(chan int, 1)
	go func() {
		status, _ := do(ci, "GET", "/v1/questions/"+asked.QuestionID+"?wait=60s", "")
		waiting <- status
	}()
	waits.Until(t, "the request waits", func() bool { return len(s.hub.directory.limits(name{DefaultTeam, "ci"}, s.hub.options).slots) == 1 })
	if err := Revoke(t.Context(), accounts, DefaultTeam, "ci", false); err != nil {
		t.Fatal(err)
	}
	if status := waits.For(t, waiting); status != http.StatusUnauthorized {
		t.Errorf("got %d", status)
	}
}

// An agent cannot decide which addresses a hub may call.
func TestHubCallbacks(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte, 1)
	receiver := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { //nolint:gosec // a test's
		body, _ := io.ReadAll(r.Body)
		got <- body
	})}}
	receiver.Start()
	t.Cleanup(receiver.Close)
	for policy, code := range map[webhook.Policy]int64{webhook.Off: protocol.CodeForbidden, webhook.Public: -32602, webhook.Private: 0} {
		storage := t.TempDir()
		accounts := opened(t, storage)
		ci, ann := invited(t, accounts, "ci", true), invited(t, accounts, "Ann", false)
		s := serve(t, storage, func(o *Options) { o.Callbacks = policy })
		agent, hers := s.connect(ci), s.watch(ann)
		id := rpctest.NewID()
		err := failure(agent, protocol.QuestionAsk, protocol.AskParams{
			Session: agent.Session("s"), QuestionID: id, Tool: "ask_followup_question", Input: []byte(`{"question":"Q?"}`), Deadline: 1,
			Callback: &protocol.Callback{URL: receiver.URL}, PrivateCallback: true,
		})
		if rpctest.ErrorCode(err) != code && (err != nil || code != 0) {
			t.Errorf("%q: %v", policy, err)
		}
		if code == 0 {
			hers.UntilState(id, protocol.ItemPending)
			rpctest.Call(hers.Editor, protocol.QuestionAnswer, typed(id, "of Ann"))
			if body := waits.For(t, got); !strings.Contains(string(body), "of Ann") || !strings.Contains(string(body), id) {
				t.Errorf("got %s", body)
			}
		}
	}
}
