package dialect

import (
	"strconv"
	"strings"

	"followup/internal/question"
	"followup/internal/toolcall"
)

// The names of a questionnaire's fields (seed 003).
const (
	keyQuestions   = "questions"
	keyAnswers     = "answers"
	keyAnnotations = "annotations"
	keyMetadata    = "metadata"
	keyQuestion    = "question"
	keyHeader      = "header"
	keyOptions     = "options"
	keyMultiSelect = "multiSelect"
	keyLabel       = "label"
	keyDescription = "description"
	keyPreview     = "preview"
	keyMarkdown    = "markdown" // an older name of preview
)

var valueTypes = map[toolcall.Kind]question.ValueType{
	toolcall.Null:   question.TypeNull,
	toolcall.Bool:   question.TypeBool,
	toolcall.Number: question.TypeNumber,
	toolcall.String: question.TypeString,
	toolcall.Array:  question.TypeList,
	toolcall.Object: question.TypeObject,
}

// askPath is where a value stands. It is a name only once an error needs one.
type askPath struct {
	question, option int // from 1; 0 for none
	key              string
}

// of returns the path of a member.
func (at askPath) of(key string) askPath {
	at.key = key
	return at
}

// String writes the path as questions[0].options[1].label.
func (at askPath) String() string {
	name := keyQuestions
	if at.question > 0 {
		name += "[" + strconv.Itoa(at.question-1) + "]"
	}
	if at.option > 0 {
		name += "." + keyOptions + "[" + strconv.Itoa(at.option-1) + "]"
	}
	if at.key != "" {
		name += "." + at.key
	}
	return name
}

// problems are the first of each kind of error that were found.
type problems struct {
	missing *question.Detail
	invalid *question.Detail
}

func (p *problems) lacks(at askPath) {
	if p.missing == nil {
		p.missing = &question.Detail{Name: at.String()}
	}
}

func (p *problems) is(at askPath, d question.Detail) {
	if p.invalid == nil {
		d.Name = at.String()
		p.invalid = &d
	}
}

func (p *problems) wrongType(at askPath, want, got question.ValueType) {
	p.is(at, question.Detail{Reason: question.ReasonType, Want: want, Got: got})
}

func (p *problems) count(at askPath, least, most, found int) {
	if found < least || found > most {
		p.is(at, question.Detail{Reason: question.ReasonCount, Min: least, Max: most, Count: found})
	}
}

func (p *problems) twice(at askPath, text string) {
	p.is(at, question.Detail{Reason: question.ReasonDuplicate, Found: text})
}

// join adds those of a part.
func (p *problems) join(part problems) {
	if p.missing == nil {
		p.missing = part.missing
	}
	if p.invalid == nil {
		p.invalid = part.invalid
	}
}

// askField is a field that holds a text. Of several, the last that is not blank counts.
type askField struct {
	text  string
	wrong question.ValueType // the type of a value that is no text; empty when there is none
	times int
}

func (f *askField) put(text string) {
	if text != "" {
		f.text, f.wrong = text, ""
	}
}

// check notes what is wrong with the field.
func (f *askField) check(p *problems, at askPath, required bool) {
	switch {
	case f.wrong != "":
		p.wrongType(at, question.TypeString, f.wrong)
	case required && f.text == "":
		p.lacks(at)
	}
}

// askOption is an option that is read.
type askOption struct{ label, description, preview, markdown askField }

// shownAs returns the field that is the preview.
func (o *askOption) shownAs() (key string, f *askField) {
	if o.preview.text != "" || o.preview.wrong != "" {
		return keyPreview, &o.preview
	}
	return keyMarkdown, &o.markdown
}

// askList is an array that is read: what is common to the questions and to the options of one.
type askList struct {
	problems
	count int                // of items, valid or not
	wrong question.ValueType // the type of what stands in place of the array; empty when it is one
	inner bool               // it stands in a string
	show  bool               // it is shown as it is read
}

// holds reports whether there is more than an empty array.
func (l *askList) holds() bool { return l.count > 0 || l.wrong != "" }

// askOptions are the options of one question.
type askOptions struct {
	askList
	items []question.Option // MaxOptions at most
}

// next counts the item that comes, and tells where it stands.
func (l *askOptions) next(asked askPath) askPath {
	l.count++
	asked.option = l.count
	return asked
}

// add takes an option in. It returns the option, and whether it can be shown.
func (l *askOptions) add(o *askOption, asked askPath) (question.Option, bool) {
	at := l.next(asked)
	var p problems
	o.label.check(&p, at.of(keyLabel), true)
	o.description.check(&p, at.of(keyDescription), false)
	key, preview := o.shownAs()
	preview.check(&p, at.of(key), false)
	option := question.Option{Label: o.label.text, Description: o.description.text, Preview: preview.text}
	sound := p == problems{}
	if l.count > question.MaxOptions || !sound {
		l.join(p)
		return option, false
	}
	for _, other := range l.items {
		if other.Label == option.Label {
			l.twice(at.of(keyLabel), option.Label)
		}
	}
	l.items = append(l.items, option)
	return option, true
}

// askQuestion is a question that is read.
type askQuestion struct {
	index        int
	at           askPath
	show         bool
	text, header askField
	options      *askOptions // the last that holds something; nil when there is none
	listed       int         // how often options was there
	multi        bool
	multiWrong   question.ValueType
	multiTimes   int
}

// askQuestions are the questions.
type askQuestions struct {
	askList
	items []question.Question // MaxQuestions at most
}

func (l *askQuestions) begin() *askQuestion {
	q := &askQuestion{index: l.count}
	q.show = l.show && q.index < question.MaxQuestions
	l.count++
	q.at.question = l.count
	return q
}

// add takes a question in that has ended.
func (l *askQuestions) add(q *askQuestion) {
	var p problems
	q.text.check(&p, q.at.of(keyQuestion), true)
	q.header.check(&p, q.at.of(keyHeader), false)
	options := q.options
	if options == nil {
		options = &askOptions{}
	}
	if at := q.at.of(keyOptions); options.wrong != "" {
		p.wrongType(at, question.TypeList, options.wrong)
	} else {
		p.join(options.problems)
		p.count(at, question.MinOptions, question.MaxOptions, options.count)
	}
	if q.multiWrong != "" {
		p.wrongType(q.at.of(keyMultiSelect), question.TypeBool, q.multiWrong)
	}
	for _, other := range l.items {
		if other.Question == q.text.text {
			p.twice(q.at.of(keyQuestion), q.text.text)
		}
	}
	l.join(p)
	if q.text.text != "" && len(l.items) < question.MaxQuestions {
		l.items = append(l.items, question.Question{
			Question: q.text.text, Header: q.header.text, Options: options.items, MultiSelect: q.multi,
		})
	}
}

// askReading is what was read of a whole questionnaire, and all that is wrong with it.
type askReading struct {
	questions *askQuestions // nil when there were none
	metadata  []byte
	codes     codes
	notices   codes
	truncated bool
	large     *question.Detail // a limit that was passed
	fault     question.Reason  // why it is not well-formed
	faultName string
	broken    bool // the fault leaves nothing to be read, in any mode
}

// error returns the first of the errors that apply, in the order of package question's codes.
func (r *askReading) error(strict bool) *question.Error {
	failed := &question.Error{
		Code: question.CodeParseFailed, Detail: question.Detail{Reason: r.fault, Name: r.faultName},
	}
	var p problems
	switch {
	case r.questions == nil:
		p.lacks(askPath{})
	case r.questions.wrong != "":
		p.wrongType(askPath{}, question.TypeList, r.questions.wrong)
	default:
		p.join(r.questions.problems)
		p.count(askPath{}, 1, question.MaxQuestions, r.questions.count)
	}
	if strict && len(r.codes) > 0 {
		p.is(askPath{}, question.Detail{Reason: question.ReasonMended, Found: r.codes.String()})
	}
	switch {
	case r.truncated:
		return &question.Error{Code: question.CodeTruncated}
	case r.large != nil:
		return &question.Error{Code: question.CodeTooLarge, Detail: *r.large}
	case r.broken:
		return failed
	case p.missing != nil:
		return &question.Error{Code: question.CodeMissingParameter, Detail: *p.missing}
	case strict && r.fault != "":
		return failed
	case p.invalid != nil:
		return &question.Error{Code: question.CodeInvalidValue, Detail: *p.invalid}
	}
	return nil
}

// call returns the call.
func (r *askReading) call(strict bool) question.Call {
	call := question.Call{Tool: question.ToolAskUser}
	if call.Err = r.error(strict); call.Err != nil {
		return call
	}
	call.Questionnaire = &question.Questionnaire{Questions: r.questions.items, Metadata: r.metadata}
	call.Repairs = append([]question.Code{}, r.codes...)
	r.notices.add(call.Questionnaire.Notices()...)
	call.Notices = append([]question.Code{}, r.notices...)
	return call
}

// String writes the codes as a message names them.
func (c codes) String() string {
	words := make([]string, len(c))
	for i, code := range c {
		words[i] = string(code)
	}
	return strings.Join(words, ", ")
}
