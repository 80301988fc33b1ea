package dialect

import (
	"slices"
	"sync"

	"followup/internal/question"
)

// table says what an object in a tool's arguments may hold, or what may stand in its place.
type table struct {
	members []member
	// arguments tells that the object is the arguments, whose members are bounded.
	arguments bool
	// bare tells that a text alone is read as the first member.
	bare bool
	// wrapper is what an object in place of a list of these may hold.
	wrapper *table
	// content tells that a string in place of a list of these is read as the tag form's content, if it holds no JSON.
	content bool
}

// member is one name in an object.
type member struct {
	key  string
	rank int // its place in the table
	slot slot
	take take
	// of is what an object here, or the items of a list, may hold.
	of *table
	// code is told when the value is taken under this name.
	code question.Code
	// spare tells that nothing needs to be told when the value under another name is taken.
	spare bool
}

// slot is what a value is taken for. Of several members with the same slot, the first that holds something is taken.
type slot uint8

const (
	slotQuestion slot = iota
	slotHeader
	slotMulti
	slotOptions // of one question
	slotItems   // suggestions, or questions
	slotText    // a suggestion's answer, or an option's label
	slotMode
	slotDescription
	slotPreview
	slotMetadata
	slotDropped
	slotArguments // all of it, in an object of its own
)

// take is how a value is read.
type take uint8

const (
	asWords    take = iota // a string
	asText                 // a string, a number or a boolean
	asPreview              // the same, with the white space at its ends
	asMode                 // a string, or an object with one
	asFlag                 // a boolean, or a string that names one
	asList                 // an array, an object around one, or a string that holds one
	asObject               // an object, or a string that holds one
	asMetadata             // anything, as it is written; from here on strings are not read
	asDropped              // anything, whose code is noticed
)

// wanted are the types of what each take but the last two reads.
var wanted = [...]question.ValueType{
	question.TypeString, question.TypeString, question.TypeString, question.TypeString,
	question.TypeBool, question.TypeList, question.TypeObject,
}

// also returns the member under further names, with the code that is told of them.
func also(m member, code question.Code, keys ...string) []member {
	all := make([]member, len(keys))
	for i, key := range keys {
		all[i] = m
		all[i].key, all[i].code = key, code
	}
	return all
}

// whole returns the members that may hold all the arguments.
func whole(of *table) []member {
	return also(member{slot: slotArguments, take: asObject, of: of}, question.RepairWrappedArguments, "arguments", "input", "params")
}

// Names that errors use, or tests.
const (
	keyQuestions   = "questions"
	keyQuestion    = "question"
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

// What ask_followup_question takes: Roo's {question, follow_up: [{text, mode}]}, Cline's {question, options: [string]}, the
// seeds' own {question, suggest: [{answer, mode}]}, and what models make of these.
var (
	modeTable       = &table{}
	suggestionTable = &table{bare: true, content: true, wrapper: &table{}}
	followupTable   = &table{arguments: true}
)

// What AskUserQuestion takes (seed 003): {questions: [{question, header, options: [{label, description, preview}],
// multiSelect}]}, and what models make of it. markdown is an older name of preview.
var (
	optionTable   = &table{bare: true, content: true, wrapper: &table{}}
	questionTable = &table{wrapper: &table{}}
	askTable      = &table{arguments: true}
)

// What a whole value is read as.
var (
	wholeOf = map[string]*member{
		question.ToolFollowup: {slot: slotArguments, take: asObject, of: followupTable},
		question.ToolAskUser:  {slot: slotArguments, take: asObject, of: askTable},
	}
	wholeList = &member{slot: slotItems, take: asList, of: suggestionTable}
	dropped   = &member{take: asDropped} // what a tool takes that nothing here reads
)

// fillTables fills them when the first call is read: every process has them, and few read any.
var fillTables = sync.OnceFunc(func() {
	modeTable.members = []member{{key: "mode_slug", slot: slotMode, take: asMode}}
	suggestionTable.members = slices.Concat(
		also(member{slot: slotText, take: asText}, "", "text", "answer", "label"),
		also(member{slot: slotText, take: asText}, question.RepairKeyAlias, "content", "value", "title", "name", "description"),
		also(member{slot: slotMode, take: asMode, of: modeTable}, "", "mode"),
	)
	optionTable.members = slices.Concat(
		also(member{slot: slotText, take: asText}, "", keyLabel),
		also(member{slot: slotText, take: asText}, question.RepairKeyAlias, "title", "name", "text", "value", "answer", "content"),
		also(member{slot: slotDescription, take: asText}, "", keyDescription),
		also(member{slot: slotPreview, take: asPreview, spare: true}, "", keyPreview, keyMarkdown),
	)
	questionTable.members = slices.Concat(
		also(member{slot: slotQuestion, take: asWords}, "", keyQuestion),
		also(member{slot: slotHeader, take: asText}, "", keyHeader),
		also(member{slot: slotOptions, take: asList, of: optionTable}, "", keyOptions),
		also(member{slot: slotOptions, take: asList, of: optionTable}, question.RepairKeyAlias,
			"choices", "suggestions", "suggest", tagFollowUp, "followUp"),
		also(member{slot: slotMulti, take: asFlag}, "", keyMultiSelect),
		also(member{slot: slotMulti, take: asFlag}, question.RepairKeyAlias,
			"multiple", "multi_select", "allow_multiple", "multiselect", "allowMultiple", "allowMultiSelect", "multi"),
	)
	items := func(of *table, keys ...string) []member {
		return also(member{slot: slotItems, take: asList, of: of}, question.RepairWrappedList, keys...)
	}
	// An object in place of the suggestions is one of them, or holds them.
	suggestionTable.wrapper.members = slices.Concat(suggestionTable.members, items(suggestionTable,
		"suggest", "item", "items", "suggestion", "suggestions", "option", keyOptions, "choices"))
	optionTable.wrapper.members = items(optionTable, "item", "items", "option", keyOptions, "choices", "suggest")
	// An object in place of the questions is one of them, or holds them.
	questionTable.wrapper.members = slices.Concat(questionTable.members, items(questionTable, "item", "items", keyQuestions))

	suggestions := member{slot: slotItems, take: asList, of: suggestionTable}
	followupTable.members = slices.Concat(
		also(member{slot: slotQuestion, take: asWords}, "", keyQuestion),
		also(suggestions, "", tagFollowUp),
		[]member{{key: keyOptions, slot: slotItems, take: asList, of: suggestionTable, spare: true}},
		also(suggestions, question.RepairSuggestionKey, "suggest", "suggestions", "choices", "followUp"),
		whole(followupTable),
	)
	askTable.members = slices.Concat(
		also(member{slot: slotItems, take: asList, of: questionTable}, "", keyQuestions),
		questionTable.members, // one question, given flat
		[]member{
			{key: keyMetadata, slot: slotMetadata, take: asMetadata},
			{key: keyAnswers, slot: slotDropped, take: asDropped, code: question.NoticeAgentAnswers},
			{key: keyAnnotations, slot: slotDropped, take: asDropped, code: question.NoticeAgentAnnotations},
		},
		whole(askTable),
	)
	for _, t := range []*table{
		modeTable, suggestionTable, suggestionTable.wrapper, followupTable,
		optionTable, optionTable.wrapper, questionTable, questionTable.wrapper, askTable,
	} {
		for i := range t.members {
			t.members[i].rank = i
		}
	}
})

// find returns the member of the name, or nil.
func (t *table) find(name string) *member {
	for i := range t.members {
		if t.members[i].key == name {
			return &t.members[i]
		}
	}
	return nil
}
