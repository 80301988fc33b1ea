//go:build !nohub

package main

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"followup/internal/httpapi"
	"followup/internal/hub"
	"followup/internal/hubclient"
	"followup/internal/keeper"
	"followup/internal/locale"
	"followup/internal/person"
	"followup/internal/protocol"
	"followup/internal/push"
	"followup/internal/server"
	"followup/internal/store"
	"followup/internal/web"
	"followup/internal/webhook"
)

// hubOptions are the flags of "followup hub".
type hubOptions struct {
	serving
	notifying
	name, metrics string
	keepDays      int
	speak         locale.Tag
	proxies       []string
	address       string
	roots         string
	notifyTeam    string
}

// hubCommand is "followup hub": the server for a team's questions and accounts.
func hubCommand(p process) *cobra.Command {
	o := hubOptions{serving: serving{level: logLevel{Level: zap.InfoLevel}}}
	c := &cobra.Command{
		Use:   "hub",
		Short: "Serve the questions of many agents to many people",
		Long: "Serve the page and the protocol to everybody with a token: people answer, agents ask. followup hub invite creates tokens. Agents and\n" +
			"editors on other machines connect to ADDRESS/rpc, programs to the HTTP API at ADDRESS/v1. Several hubs on one database act as one.\n" +
			"/healthz and /readyz report their health. " + hubStorageHelp + "\n\nExit status: 0 interrupted or terminated, 1 failed, 2 wrong usage.",
		Example: "  export FOLLOWUP_STORAGE=/var/lib/followup-hub\n" +
			"  followup hub --listen :7443 --tls-cert cert.pem --tls-key key.pem --host hub.example\n" +
			"  followup hub invite Ann --group on-call --url https://hub.example:7443",
		Args: noArguments,
		RunE: interruptible(func(ctx context.Context, _ []string) error { return serveHub(ctx, p, o) }),
	}
	o.serving.flags(c, p.env)
	o.notifying.flags(c)
	flags := c.Flags()
	flags.StringVar(&o.name, "name", "", "call the hub `NAME` (default: its address)")
	flags.Var(hostPort{&o.metrics}, "metrics", "serve Prometheus metrics on `ADDRESS`, such as 127.0.0.1:9464")
	flags.Var(integer{&o.keepDays, 0, maxKeepDays}, "keep-days", "keep closed questions for `N` days (0 = forever)")
	flags.StringVar(&o.address, "address", "", "let other hubs connect at `URL` (default: from --listen)")
	flags.StringVar(&o.roots, "hub-ca", p.env(hubRootsVariable), "trust other hubs' certificates in `FILE` (PEM), too")
	flags.StringArrayVar(&o.proxies, "trusted-proxy", nil, "log the clients of proxies at `ADDRESS`, or in a network (repeatable)")
	_ = c.MarkFlagFilename("hub-ca") // the flag exists
	flags.StringVar(&o.notifyTeam, "notify-team", hub.DefaultTeam, "notify the address of the questions for everybody in the team `NAME`")
	explainedIn(topicNotify, flags, "notify-team")
	localeFlag(c, flags, &o.speak, "messages", p.env)
	c.AddCommand(inviteCommand(p), revokeCommand(p), accountsCommand(p))
	return c
}

// maxKeepDays is a hundred years, since a time.Duration has no room for three hundred.
const maxKeepDays = 36_500

const hubStorageHelp = "Name the hub's storage, a folder of its own or a PostgreSQL database, with --storage or FOLLOWUP_STORAGE."

// hubStorage requires a named storage, so that a person's own store never becomes a hub's by mistake.
func hubStorage(named string, env func(string) string) (string, error) {
	if named == "" {
		return "", wrongUsage("name the hub's own folder, or its database, with --storage or %s", storageVariable)
	}
	place, err := absolute(named)
	info, failed := os.Stat(place)
	switch {
	case err != nil:
	case failed == nil && !info.IsDir():
		err = wrongUsage("%s is a file; name a folder of the hub's own, or its database", named)
	case isInbox(place, env):
		err = personalInbox(place)
	}
	return place, err
}

// personalInbox is the error for a place that is a person's inbox.
func personalInbox(place string) error {
	return wrongUsage("%s is a person's inbox; name the hub's own folder, or its database, with --storage", store.Redacted(place))
}

// isInbox reports whether a place is the folder of a person's inbox: the default one, or another one that only a keeper has used.
func isInbox(place string, env func(string) string) bool {
	if store.IsDatabase(place) {
		return false
	}
	if own, err := (person.Machine{Env: env}).Folder(); err == nil && own == place {
		return true
	}
	_, err := os.Stat(filepath.Join(place, "teams"))
	return err != nil && keeper.IsInbox(place)
}

func serveHub(ctx context.Context, p process, o hubOptions) error {
	storage, err := hubStorage(o.storage, p.env)
	if err != nil {
		return err
	}
	proxies, err := parseProxies(o.proxies)
	if err != nil {
		return err
	}
	if o.address != "" && !isHubURL(o.address) {
		return wrongUsage("--address is %q; it must be like https://name:port", o.address)
	}
	policy := webhook.Policy(o.callbacks)
	var roots *x509.CertPool
	if o.roots != "" {
		if roots, err = hubclient.ReadRoots(o.roots); err != nil {
			return inWords(err, o.speak)
		}
	}
	notified, err := o.notifying.address(p.env, o.speak)
	if err != nil {
		return err
	}
	contact, err := pushContact(p.env)
	if err != nil {
		return err
	}
	log := newWordsLog(p, "followup hub", o.level)
	options, err := o.open(o.speak, log, nil)
	if err != nil {
		return err
	}
	defer func() { _ = options.Listener.Close() }() // if it is not served
	h, err := hub.New(hub.Options{
		Name: o.called(options), Storage: storage, Address: cmp.Or(o.address, reachable(options)), Roots: roots, Locale: o.speak, Callbacks: policy,
		Kept: protocol.RetentionAge(o.keepDays), Log: log,
		Server: server.Options{Version: version(), PID: os.Getpid(), OpenStore: openEngine, NewID: newID, Push: push.Options{Private: p.env(pushPrivateVariable) != "", Contact: contact}},
	})
	if err != nil {
		return fmt.Errorf("the store in %s cannot be opened: %w", store.Redacted(storage), err)
	}
	defer h.Close()
	api := httpapi.New(httpapi.Options{
		Enter: func(token string) (web.Visit, *web.Refusal) { return h.Enter(token, web.Program) }, Callbacks: policy, Idle: apiIdle, Log: log,
	})
	defer api.Close()
	handlers := h.Handlers()
	maps.Copy(handlers, api.Handlers())
	options.Door, options.Handlers, options.Path, options.MaxPages, options.Proxies = h, handlers, "/page", hubConnections, proxies
	served, err := web.New(options)
	if err != nil {
		return err
	}
	if notified.URL != "" {
		notified.Page = served.Address()
		h.Notify(o.notifyTeam, notified)
	}
	ctx, end := untilSignal(ctx, syscall.SIGTERM)
	defer end()
	defer context.AfterFunc(ctx, api.Close)() // its waiting requests are answered before the server ends
	if o.metrics != "" {
		stop, err := serveMetrics(o.metrics, h.Metrics(), log)
		if err != nil {
			return err
		}
		defer stop()
	}
	if err := o.print(p, served.Address()); err != nil {
		return err
	}
	return served.Serve(ctx)
}

// parseProxies parses addresses and networks.
func parseProxies(named []string) (all []netip.Prefix, err error) {
	for _, one := range named {
		network, err := netip.ParsePrefix(one)
		if address, wrong := netip.ParseAddr(one); wrong == nil {
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return nil, wrongUsage("--trusted-proxy is %q; it must be an address or a network, such as 10.0.0.0/8", one)
		}
		all = append(all, network)
	}
	return all, nil
}

// reachable returns the address at which other hubs on the same database reach this one: the address it listens on, or the
// machine's name if it listens on all.
func reachable(options web.Options) string {
	scheme := "http"
	if options.TLS != nil {
		scheme = "https"
	}
	listening, ok := options.Listener.Addr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	host := listening.IP.String()
	if listening.IP.IsUnspecified() {
		name, err := os.Hostname()
		if err != nil {
			return ""
		}
		host = name
	}
	return scheme + "://" + net.JoinHostPort(host, strconv.Itoa(listening.Port))
}

// apiIdle is how long an account's API connection stays open without a request.
const apiIdle = 5 * time.Minute

// hubConnections is the maximum number of pages and programs connected to a hub.
const hubConnections = 20_000

// called returns the hub's name.
func (o hubOptions) called(options web.Options) string {
	switch {
	case o.name != "":
		return o.name
	case len(o.hosts) > 0:
		return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(o.hosts[0], "https://"), "http://"), "/")
	}
	return options.Listener.Addr().String()
}

// print prints the hub's address.
func (o hubOptions) print(p process, url string) error {
	if o.json {
		return printJSON(p.stdout, map[string]string{"url": url})
	}
	running := o.speak.Text(`The hub is running at this address. Invite people and agents with "followup hub invite".`)
	_, err := fmt.Fprintf(p.stdout, "%s\n\n  %s\n\n%s\n", running, url, o.speak.Text("Press Ctrl+C to stop."))
	return err
}

// serveMetrics serves metrics at their own address until stop is called.
func serveMetrics(address string, figures http.Handler, log *zap.Logger) (stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", figures)
	served := &http.Server{
		Handler: mux, ReadHeaderTimeout: metricsTime, ReadTimeout: metricsTime, WriteTimeout: 3 * metricsTime, ErrorLog: zap.NewStdLog(log),
	}
	log.Info("serving metrics", zap.String("address", listener.Addr().String()))
	go func() {
		if err := served.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("serving metrics failed", zap.Error(err))
		}
	}()
	return func() { _ = served.Close() }, nil
}

// metricsTime is how long a request for metrics may take to arrive.
const metricsTime = 10 * time.Second
