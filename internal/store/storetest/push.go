package storetest

import (
	"testing"
	"time"

	"followup/internal/store"
)

// The first key is kept, and a subscription is only replaced by its id.
func testSubscriptions(t *testing.T, open Place) {
	place, c := open(t), NewClock()
	a, b := place(c.Now), place(c.Now)
	Same(t, "the first key", must(a.PushKey(t.Context(), "one"))(t), "one")
	Same(t, "a later key", must(b.PushKey(t.Context(), "two"))(t), "one")
	Same(t, "none", len(must(a.Subscriptions(t.Context()))(t)), 0)

	phone := store.Subscription{
		ID: "b", Person: "Zoë", Token: store.HashToken("one"), Endpoint: "https://push.example/é\x00", P256dh: "key", Auth: "secret", Name: "Phone",
		Locale: "fr", After: time.Minute, Hidden: true, Silent: true, At: c.Now(), LastAt: c.Now(), Problem: "503",
	}
	laptop := store.Subscription{ID: "a", Endpoint: phone.Endpoint}
	ok(t, a.PutSubscription(t.Context(), phone))
	ok(t, a.PutSubscription(t.Context(), laptop))
	Same(t, "both", must(b.Subscriptions(t.Context()))(t), []store.Subscription{laptop, phone})
	phone.Hidden, phone.Problem = false, ""
	ok(t, b.PutSubscription(t.Context(), phone))
	ok(t, b.RemoveSubscription(t.Context(), laptop.ID))
	ok(t, b.RemoveSubscription(t.Context(), "unknown"))
	Same(t, "one", must(a.Subscriptions(t.Context()))(t), []store.Subscription{phone})
}
