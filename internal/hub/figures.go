package hub

import (
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"followup/internal/protocol"
)

// figures are the metrics for Prometheus: counts without names.
type figures struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	refused  *prometheus.CounterVec
	slowed   prometheus.Counter
}

func newFigures(h *Hub) *figures {
	f := &figures{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "followup_hub_messages_total", Help: "Messages read, by role and method. The method other counts messages that the role may not send.",
		}, []string{"role", "method"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "followup_hub_refused_total", Help: "Refused connections: the token was wrong, or the account had too many.",
		}, []string{"reason"}),
		slowed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "followup_hub_slowed_total", Help: "Messages delayed by the rate limit of their account.",
		}),
	}
	f.registry.MustRegister(f.requests, f.refused, f.slowed, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "followup_hub_open_questions", Help: "Open questions of the teams that this hub keeps.",
		}, func() (open float64) {
			for _, host := range h.hosts() {
				open += float64(host.OpenQuestions())
			}
			return open
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "followup_hub_teams", Help: "Teams that this hub keeps.",
		}, func() float64 { return float64(len(h.hosts())) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "followup_hub_ready", Help: "1 while the store can be used, 0 while it cannot.",
		}, func() float64 {
			if h.Ready(context.Background()) != nil {
				return 0
			}
			return 1
		}),
	)
	for _, role := range []protocol.Role{protocol.RoleAgent, protocol.RolePerson} {
		f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "followup_hub_connections", Help: "Connections to this hub.", ConstLabels: prometheus.Labels{"role": string(role)},
		}, func() float64 { return float64(h.directory.count()[role]) }))
	}
	return f
}

// countMessage counts a message. Unknown methods do not become labels.
func (f *figures) countMessage(role protocol.Role, method string) {
	if !role.May(method) {
		method = "other"
	}
	f.requests.WithLabelValues(string(role), method).Inc()
}

// Metrics returns a handler for Prometheus.
func (h *Hub) Metrics() http.Handler {
	return promhttp.HandlerFor(h.figures.registry, promhttp.HandlerOpts{})
}
