package transcript

import "encoding/json"

// capture keeps the bytes of values up to a limit.
type capture struct {
	raw   []byte
	limit int
	over  bool // something did not fit, and raw has no meaning
}

func (c *capture) reset() { c.raw, c.over = c.raw[:0], false }

func (c *capture) add(b []byte) {
	if c.over = c.over || len(c.raw)+len(b) > c.limit; !c.over {
		c.raw = append(c.raw, b...)
	}
}

// decode returns the string that the JSON raw is, and "" for any other value.
func decode(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
