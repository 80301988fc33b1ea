package dialect

import (
	"encoding/json"
	"strconv"
	"strings"

	"followup/internal/toolcall"
)

// flatMembers are an object's members under paths, such as follow_up[0].text, put back together as values of package encoding/json.
type flatMembers struct {
	object any
	count  int
}

const (
	maxFlat = 256 // members under paths in one object; later ones are unknown keys
	maxPath = 64  // bytes of a path
	maxGap  = 3   // items that may be missing before an item
)

// read reads a member, if its name is the path of a value in a list of the table.
func (m *flatMembers) read(j *layer, t *table, name string) bool {
	head, rest := cutStep(name)
	list := t.find(head)
	if m.count == maxFlat || len(name) > maxPath || rest == "" || j.depth == maxLayer || list == nil || list.as != asList {
		return false
	}
	k := j.Value()
	from := j.Start
	j.Skip(k)
	value := any(json.RawMessage(j.Raw(from)))
	if k == toolcall.String {
		value = j.Text()
	} else if !json.Valid([]byte(j.Raw(from))) {
		value = nil
	}
	m.count++
	m.object = put(m.object, name, value)
	return true
}

// cutStep cuts the first step from a path.
func cutStep(path string) (step, rest string) {
	path = strings.TrimLeft(path, "[].")
	n := len(path)
	if i := strings.IndexAny(path, "[]."); i >= 0 {
		n = i
	}
	return path[:n], path[n:]
}

// put returns a list or an object with the value at the path in it.
func put(in any, path string, value any) any {
	step, rest := cutStep(path)
	if step == "" {
		return value
	}
	list, _ := in.([]any)
	if i, err := strconv.Atoi(step); err == nil && i >= 0 {
		for i = min(i, len(list)+maxGap); i >= len(list); {
			list = append(list, nil)
		}
		list[i] = put(list[i], rest, value)
		return list
	}
	object, _ := in.(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	object[step] = put(object[step], rest, value)
	return object
}
