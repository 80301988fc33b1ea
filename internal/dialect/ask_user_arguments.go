package dialect

import (
	"followup/internal/question"
	"followup/internal/toolcall"
)

// askPlace is what in the arguments a reader is inside of.
type askPlace uint8

const (
	askTop           askPlace = iota
	askObject                 // in the arguments
	askQuestionsText          // in a string that holds the questions
	askQuestionList           // in the array of questions
	askQuestionItem           // in a question
	askOptionsText            // in a string that holds the options
	askOptionList             // in the array of options
	askOptionItem             // in an option
	askText                   // in a string that is taken
	askOther                  // in a value that does not matter
)

// askArguments reads the object {questions: [{question, header, options: [{label, description, preview}], multiSelect}]}.
type askArguments struct {
	tokens  *toolcall.JSON // where the object is
	whole   *askLayer      // the string that holds all of it, if one does
	limit   int
	strict  bool
	draft   askDraft
	codes   codes
	notices codes
	lenient toolcall.Fault // of strings that hold JSON
	other   bool           // something else than an object was found

	parameter bool   // a parameter with a limit is open
	name      string // of the parameter
	start     int    // where its value began
	large     *question.Detail
	dead      bool // nothing more is read, since a limit was passed

	place askPlace
	key   string        // in the innermost object
	back  askPlace      // where the text, or the value that does not matter, stands
	depth int           // containers that are open in a value that does not matter
	watch question.Code // the notice of a value that does not matter, if it holds anything

	questions *askQuestions // the last that hold something
	lists     int           // how often questions was there
	list      *askQuestions // the one that is read
	question  *askQuestion
	options   *askOptions
	option    *askOption
	into      *trimmed // takes the string that is open
	field     *askField
	growing   *trimmed // the text that is shown as it grows
	metadata  askMetadata
}

// room returns how many bytes more the parameter may have, after n.
func (a *askArguments) room(n int) int { return a.limit - (a.tokens.Offset() + n - a.start) }

// within reports whether the parameter is within its limit, n bytes further on. Behind the limit nothing more is read.
func (a *askArguments) within(n int) bool {
	if a.room(n) < 0 {
		a.flush()
		a.tokens.Kept(0)
		a.tooLarge()
	}
	return !a.dead
}

// tooLarge lets go of all that was read.
func (a *askArguments) tooLarge() {
	a.large, a.dead = &question.Detail{Name: a.name, Limit: a.limit}, true
	a.questions, a.list, a.question, a.options, a.option = nil, nil, nil, nil, nil
	a.into, a.field, a.growing, a.metadata = nil, nil, nil, askMetadata{}
}

// flush shows what is new of the text that grows.
func (a *askArguments) flush() {
	if a.growing != nil {
		a.draft.grow(a.question.index, a.growing)
	}
}

func (a *askArguments) takeKey(name []byte) {
	switch a.place {
	case askObject:
		a.endScalar()
		a.key = string(name)
	case askQuestionItem, askOptionItem:
		a.key = string(name)
	case askOther:
		a.held()
	}
}

// takeValue takes a value that begins, and reports whether it is a string in which JSON is read.
func (a *askArguments) takeValue(k toolcall.Kind, l *askLayer) (inner bool) {
	switch a.place {
	case askTop:
		return a.begin(k, l)
	case askObject:
		return a.takeParameter(k)
	case askQuestionsText:
		if k == toolcall.Array {
			a.place, a.list.wrong = askQuestionList, ""
			return false
		}
		a.skip(k)
	case askQuestionList:
		a.takeQuestion(k)
	case askQuestionItem:
		return a.takeQuestionField(k, l)
	case askOptionsText:
		if k == toolcall.Array {
			a.place, a.options.wrong = askOptionList, ""
			return false
		}
		a.skip(k)
	case askOptionList:
		a.takeOption(k)
	case askOptionItem:
		a.takeOptionField(k)
	case askOther:
		a.held()
		if k == toolcall.Array || k == toolcall.Object {
			a.depth++
		}
	}
	return false
}

// begin takes the value that is the arguments.
func (a *askArguments) begin(k toolcall.Kind, l *askLayer) (inner bool) {
	switch {
	case k == toolcall.Object:
		a.place, a.tokens = askObject, l.tokens
	case k == toolcall.String && a.whole == nil:
		a.codes.add(question.RepairDoubleEncoded)
		return true
	default:
		a.other = true
		a.skip(k)
	}
	return false
}

// skip leaves a value out.
func (a *askArguments) skip(k toolcall.Kind) {
	if k < toolcall.String {
		return
	}
	a.back, a.place, a.depth = a.place, askOther, 0
	if k != toolcall.String {
		a.depth = 1
	}
}

// held notes that a value that does not matter holds something.
func (a *askArguments) held() {
	if a.watch != "" {
		a.notices.add(a.watch)
		a.watch = ""
	}
}

// leave ends a value that does not matter, n bytes further on, unless it is in another one.
func (a *askArguments) leave(n int) {
	if a.depth > 0 {
		return
	}
	a.watch = ""
	if a.place = a.back; a.place == askObject {
		a.parameter = false
		a.endMetadata(n)
	}
}

// takeParameter takes the value of a key of the arguments.
func (a *askArguments) takeParameter(k toolcall.Kind) (inner bool) {
	a.name, a.start, a.parameter = a.key, a.tokens.Offset(), k >= toolcall.String
	switch a.key {
	case keyQuestions:
		return a.openQuestions(k)
	case keyMetadata:
		a.openMetadata(k)
	case keyAnswers:
		a.drop(k, question.NoticeAgentAnswers)
	case keyAnnotations:
		a.drop(k, question.NoticeAgentAnnotations)
	default:
		a.parameter = false
		a.notices.add(question.NoticeUnknownKey)
		a.skip(k)
	}
	return false
}

// drop leaves out what is not the agent's to write.
func (a *askArguments) drop(k toolcall.Kind, notice question.Code) {
	a.watch = notice
	if k == toolcall.Bool || k == toolcall.Number {
		a.held()
	}
	a.skip(k)
}

func (a *askArguments) openQuestions(k toolcall.Kind) (inner bool) {
	if a.lists++; a.lists > 1 {
		a.codes.add(question.RepairRepeatedParameter)
	}
	a.list = &askQuestions{}
	a.list.show = len(a.draft.shown) == 0
	switch k {
	case toolcall.Array:
		a.place = askQuestionList
	case toolcall.String:
		a.place, a.list.wrong, a.list.inner = askQuestionsText, question.TypeString, true
		return true
	case toolcall.Null:
		a.list = nil
	default:
		a.list.wrong = valueTypes[k]
		a.closeQuestions()
		a.skip(k)
	}
	return false
}

// closeQuestions takes the list that was read, unless it holds nothing and another one stands.
func (a *askArguments) closeQuestions() {
	if a.questions == nil || a.list.holds() {
		a.questions = a.list
	}
	a.list = nil
}

// takeQuestion takes an item of the list of questions.
func (a *askArguments) takeQuestion(k toolcall.Kind) {
	q := a.list.begin()
	if q.show {
		a.draft.begin()
	}
	if k == toolcall.Object {
		a.question, a.place = q, askQuestionItem
		return
	}
	a.list.wrongType(q.at, question.TypeObject, valueTypes[k])
	if q.show {
		a.draft.ended(q.index)
	}
	a.skip(k)
}

// takeQuestionField takes the value of a key of a question.
func (a *askArguments) takeQuestionField(k toolcall.Kind, l *askLayer) (inner bool) {
	q := a.question
	switch a.key {
	case keyQuestion:
		a.takeText(&q.text, k)
		if k == toolcall.String && q.show && !a.draft.hasText(q.index) {
			a.growing = a.into
		}
	case keyHeader:
		a.takeText(&q.header, k)
	case keyOptions:
		return a.openOptions(k)
	case keyMultiSelect:
		a.takeMulti(k, l)
	default:
		a.notices.add(question.NoticeUnknownKey)
		a.skip(k)
	}
	return false
}

func (a *askArguments) takeMulti(k toolcall.Kind, l *askLayer) {
	q := a.question
	a.once(&q.multiTimes)
	switch k {
	case toolcall.Bool:
		q.multi, q.multiWrong = l.tokens.Literal() == "true", ""
		if q.multi && q.show {
			a.draft.multi(q.index)
		}
	case toolcall.Null:
	default:
		q.multiWrong = valueTypes[k]
		a.skip(k)
	}
}

// once counts how often a key stands in its object.
func (a *askArguments) once(times *int) {
	if *times++; *times > 1 {
		a.codes.add(question.RepairRepeatedParameter)
	}
}

// takeText takes a value that must be a string.
func (a *askArguments) takeText(f *askField, k toolcall.Kind) {
	a.once(&f.times)
	switch k {
	case toolcall.String:
		a.into, a.field = &trimmed{}, f
		a.back, a.place = a.place, askText
	case toolcall.Null:
	default:
		f.wrong = valueTypes[k]
		a.skip(k)
	}
}

func (a *askArguments) openOptions(k toolcall.Kind) (inner bool) {
	q := a.question
	a.once(&q.listed)
	a.options = &askOptions{}
	a.options.show = q.show && !a.draft.hasOptions(q.index)
	switch k {
	case toolcall.Array:
		a.place = askOptionList
	case toolcall.String:
		a.place, a.options.wrong, a.options.inner = askOptionsText, question.TypeString, true
		return true
	case toolcall.Null:
		a.options = nil
	default:
		a.options.wrong = valueTypes[k]
		a.closeOptions()
		a.skip(k)
	}
	return false
}

func (a *askArguments) closeOptions() {
	if q := a.question; q.options == nil || a.options.holds() {
		q.options = a.options
	}
	a.options = nil
}

// takeOption takes an item of a list of options: an object, or its label alone.
func (a *askArguments) takeOption(k toolcall.Kind) {
	switch k {
	case toolcall.Object:
		a.option, a.place = &askOption{}, askOptionItem
	case toolcall.String:
		a.codes.add(question.RepairStringOption)
		a.option = &askOption{}
		a.takeText(&a.option.label, k)
	default:
		a.options.wrongType(a.options.next(a.question.at), question.TypeObject, valueTypes[k])
		a.skip(k)
	}
}

// takeOptionField takes the value of a key of an option.
func (a *askArguments) takeOptionField(k toolcall.Kind) {
	switch o := a.option; a.key {
	case keyLabel:
		a.takeText(&o.label, k)
	case keyDescription:
		a.takeText(&o.description, k)
	case keyPreview:
		a.takePreview(&o.preview, k)
	case keyMarkdown:
		a.takePreview(&o.markdown, k)
	default:
		a.notices.add(question.NoticeUnknownKey)
		a.skip(k)
	}
}

// takePreview takes a text that keeps its white space.
func (a *askArguments) takePreview(f *askField, k toolcall.Kind) {
	a.takeText(f, k)
	if k == toolcall.String {
		a.into.whole = true
	}
}
