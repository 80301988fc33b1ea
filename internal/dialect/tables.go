package dialect

import (
	"slices"
	"sync"

	"followup/internal/question"
)

// table describes the members of an object in a tool's arguments, and what may replace the object.
type table struct {
	members []member
	// arguments is true for a tool's arguments, whose members have a size limit.
	arguments bool
	// bare means that a plain text is read as the first member.
	bare bool
	// content means that a string in place of a list of these is read like the tag form's content, unless it is JSON.
	content bool
}

// member is one name in an object.
type member struct {
	key  string
	rank int // index in the table; lower wins
	slot slot
	as   readAs
	// table describes the object, or the items of the list.
	table *table
	// code is reported if the value under this name is used.
	code question.Code
	// silent means that nothing is reported if another name's value is used.
	silent bool
	// one means that a string which is no list is the only item of the list.
	one bool
}

// slot is the purpose of a value. If several members share a slot, the first non-empty one wins.
type slot uint8

const (
	slotQuestion slot = iota
	slotText          // a suggestion's answer, or an option's label
	slotHeader
	slotMulti
	slotOptions // of one question
	slotItems   // suggestions, or questions
	slotMode
	slotDescription
	slotPreview
	slotMetadata
	slotDropped
	slotArguments // the arguments, nested in an object
)

// readAs says how to read a value.
type readAs uint8

const (
	asWords    readAs = iota // a string
	asText                   // a string, a number or a boolean
	asPreview                // like asText, but not trimmed
	asMode                   // a string, or an object that contains one
	asFlag                   // a boolean, or a string that spells one
	asList                   // an array, an object around one, or a string that contains one
	asObject                 // an object, or a string that contains one
	asMetadata               // any JSON, as written; from here on, strings are not decoded
	asDropped                // any JSON, dropped with a notice
)

// wanted is the type to name in errors, for each readAs before asMetadata.
var wanted = [...]question.ValueType{
	question.TypeString, question.TypeString, question.TypeString, question.TypeString,
	question.TypeBool, question.TypeList, question.TypeObject,
}

// aliases returns copies of m under the given names. code is reported if one of them is used.
func aliases(m member, code question.Code, keys ...string) []member {
	all := make([]member, len(keys))
	for i, key := range keys {
		all[i] = m
		all[i].key, all[i].code = key, code
	}
	return all
}

// wrappedArguments returns the members that may contain all the arguments.
func wrappedArguments(of *table) []member {
	return aliases(member{slot: slotArguments, as: asObject, table: of}, question.RepairWrappedArguments, keyArguments, "input", "params")
}

// Names of members that errors or tests use.
const (
	keyArguments   = "arguments"
	keyQuestions   = "questions"
	keyQuestion    = "question"
	keyPrompt      = "prompt"
	keyHeader      = "header"
	keyOptions     = "options"
	keyMultiSelect = "multiSelect"
	keyLabel       = "label"
	keyDescription = "description"
	keyPreview     = "preview"
	keyMarkdown    = "markdown"
	keyMetadata    = "metadata"
	keyAnswers     = "answers"
	keyAnnotations = "annotations"
)

// ask_followup_question takes Roo's {question, follow_up: [{text, mode}]}, Cline's {question, options: [string]}, the
// original {question, suggest: [{answer, mode}]}, and common variants.
var (
	modeTable       = &table{}
	suggestionTable = &table{bare: true, content: true}
	followupTable   = &table{arguments: true}
)

// AskUserQuestion takes {questions: [{question, header, options: [{label, description, preview}], multiSelect}]}, and
// common variants. markdown is an older name of preview.
var (
	optionTable   = &table{bare: true, content: true}
	questionTable = &table{}
	askTable      = &table{arguments: true}
)

// Members for the outermost value of a JSON text.
var (
	argumentsOf = map[string]*member{
		question.ToolFollowup: {slot: slotArguments, as: asObject, table: followupTable},
		question.ToolAskUser:  {slot: slotArguments, as: asObject, table: askTable},
	}
	listMember    = &member{slot: slotItems, as: asList, table: suggestionTable}
	ignoredMember = &member{as: asDropped} // for an unknown tool
)

// fillTables fills the tables on first use, because most processes never read a call.
var fillTables = sync.OnceFunc(func() {
	modeTable.members = []member{{key: "mode_slug", slot: slotMode, as: asMode}}
	// An object in place of a list, or of an item, may contain the list or the item.
	items := func(of *table, keys ...string) []member {
		m := member{slot: slotItems, as: asList, table: of}
		all := aliases(m, question.RepairWrappedList, keys...)
		m.one = true
		return append(aliases(m, question.RepairWrappedList, "item", tagSuggest, tagSuggestion, tagOption), all...)
	}
	suggestionTable.members = slices.Concat(
		aliases(member{slot: slotText, as: asText}, "", "text", "answer", "label"),
		aliases(member{slot: slotText, as: asText}, question.RepairKeyAlias, "content", "value", "title", "name", "description"),
		aliases(member{slot: slotMode, as: asMode, table: modeTable}, "", "mode"),
		items(suggestionTable, "items", "suggestions", keyOptions, "choices"),
	)
	optionTable.members = slices.Concat(
		aliases(member{slot: slotText, as: asText}, "", keyLabel),
		aliases(member{slot: slotText, as: asText}, question.RepairKeyAlias, "title", "name", "text", "value", "answer", "content"),
		aliases(member{slot: slotDescription, as: asText}, "", keyDescription),
		aliases(member{slot: slotPreview, as: asPreview, silent: true}, "", keyPreview, keyMarkdown),
		items(optionTable, "items", keyOptions, "choices"),
	)
	questionTable.members = slices.Concat(
		aliases(member{slot: slotQuestion, as: asWords}, "", keyQuestion),
		aliases(member{slot: slotQuestion, as: asWords}, question.RepairKeyAlias, keyPrompt),
		aliases(member{slot: slotHeader, as: asText}, "", keyHeader),
		aliases(member{slot: slotOptions, as: asList, table: optionTable}, "", keyOptions),
		aliases(member{slot: slotOptions, as: asList, table: optionTable}, question.RepairKeyAlias,
			"choices", "suggestions", "suggest", tagFollowUp, "followUp"),
		aliases(member{slot: slotMulti, as: asFlag}, "", keyMultiSelect),
		aliases(member{slot: slotMulti, as: asFlag}, question.RepairKeyAlias,
			"multiple", "multi_select", "allow_multiple", "multiselect", "allowMultiple", "allowMultiSelect", "multi"),
		aliases(member{slot: slotItems, as: asList, table: questionTable}, question.RepairWrappedList, "item", "items", keyQuestions),
	)

	suggestions := member{slot: slotItems, as: asList, table: suggestionTable}
	followupTable.members = slices.Concat(
		aliases(member{slot: slotQuestion, as: asWords}, "", keyQuestion),
		aliases(member{slot: slotQuestion, as: asWords}, question.RepairKeyAlias, keyPrompt),
		aliases(suggestions, "", tagFollowUp),
		[]member{{key: keyOptions, slot: slotItems, as: asList, table: suggestionTable, silent: true}},
		aliases(suggestions, question.RepairSuggestionKey, "suggest", "suggestions", "choices", "followUp"),
		wrappedArguments(followupTable),
	)
	askTable.members = slices.Concat(
		aliases(member{slot: slotItems, as: asList, table: questionTable}, "", keyQuestions),
		questionTable.members, // a single question without a list
		[]member{
			{key: keyMetadata, slot: slotMetadata, as: asMetadata},
			{key: keyAnswers, slot: slotDropped, as: asDropped, code: question.NoticeAgentAnswers},
			{key: keyAnnotations, slot: slotDropped, as: asDropped, code: question.NoticeAgentAnnotations},
		},
		wrappedArguments(askTable),
	)
	for _, t := range []*table{
		modeTable, suggestionTable, followupTable, optionTable, questionTable, askTable,
	} {
		for i := range t.members {
			t.members[i].rank = i
		}
	}
})

// find returns the member with the given name, or nil.
func (t *table) find(name string) *member {
	for i := range t.members {
		if t.members[i].key == name {
			return &t.members[i]
		}
	}
	return nil
}
