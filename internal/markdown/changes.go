package markdown

import (
	"encoding/json"
	"slices"

	"github.com/aymanbagabas/go-udiff/lcs"

	"followup/internal/protocol"
)

// Changes merges the nodes of a text with those of an earlier version, in the order of a diff. A removed block is in a node of
// the kind removed, a new one in a node of the kind inserted. Lists are compared item by item: in an item, such a node contains
// the item's content. It returns nil if nothing has changed.
func Changes(before, after []protocol.MarkdownNode) (all []protocol.MarkdownNode) {
	kept := 0
	for _, d := range lcs.DiffLines(keys(before), keys(after)) {
		all = append(all, after[kept:d.ReplStart]...)
		all = append(all, replaced(before[d.Start:d.End], after[d.ReplStart:d.ReplEnd])...)
		kept = d.ReplEnd
	}
	if all == nil {
		return nil
	}
	return append(all, after[kept:]...)
}

// mostCompared limits how many nodes are searched for the earlier version of a list, which bounds the time for hostile texts.
const mostCompared = 100

// replaced returns the changes from some nodes to their replacements: first the removed ones, then the inserted ones.
func replaced(before, after []protocol.MarkdownNode) (all []protocol.MarkdownNode) {
	var inserted []protocol.MarkdownNode
	flush := func(removed []protocol.MarkdownNode) {
		for _, old := range removed {
			all = append(all, changed(protocol.MarkdownRemoved, old))
		}
		all, inserted = append(all, inserted...), nil
	}
	for _, node := range after {
		at := slices.IndexFunc(before[:min(len(before), mostCompared)], func(old protocol.MarkdownNode) bool { return sameOutside(old, node) })
		if at < 0 {
			inserted = append(inserted, changed(protocol.MarkdownInserted, node))
			continue
		}
		flush(before[:at])
		head := headOf(node)
		node.Nodes = append(slices.Clone(node.Nodes[:head]), Changes(before[at].Nodes[head:], node.Nodes[head:])...)
		all, before = append(all, node), before[at+1:]
	}
	flush(before)
	return all
}

// sameOutside reports whether two different nodes are compared by their content: lists, and items that differ only in their lists.
func sameOutside(before, after protocol.MarkdownNode) bool {
	head := headOf(after)
	return head >= 0 && before.Kind == after.Kind && before.Text == after.Text && before.Marked == after.Marked && head == headOf(before) &&
		slices.Equal(keys(before.Nodes[:head]), keys(after.Nodes[:head]))
}

// headOf returns the number of a node's children before those that can be compared; -1 if none can.
func headOf(n protocol.MarkdownNode) int {
	switch n.Kind {
	case protocol.MarkdownList, protocol.MarkdownOrderedList:
		return 0
	case protocol.MarkdownItem:
		return slices.IndexFunc(n.Nodes, func(in protocol.MarkdownNode) bool { return headOf(in) == 0 })
	}
	return -1
}

// changed returns a node marked as removed or inserted.
func changed(how protocol.MarkdownKind, n protocol.MarkdownNode) protocol.MarkdownNode {
	if n.Kind == protocol.MarkdownItem { // only lists contain items
		return protocol.MarkdownNode{Kind: n.Kind, Nodes: []protocol.MarkdownNode{{Kind: how, Text: n.Text, Nodes: n.Nodes}}}
	}
	return protocol.MarkdownNode{Kind: how, Nodes: []protocol.MarkdownNode{n}}
}

// keys returns texts that are equal if the nodes are.
func keys(nodes []protocol.MarkdownNode) []string {
	all := make([]string, len(nodes))
	for i, n := range nodes {
		key, _ := json.Marshal(n) // only strings and a bool
		all[i] = string(key)
	}
	return all
}
