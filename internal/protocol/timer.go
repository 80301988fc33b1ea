package protocol

var (
	// TimerConfigure sets the time after which the first suggestion of a question is chosen for the user. It is off unless the
	// user enables it, and never applies to guidance or to a questionnaire with more than one question.
	TimerConfigure = Request[TimerConfigureParams, None]{"timer/configure"}
	// QuestionTouch reports that the user is at a question, which stops its timed choice permanently in all windows. Saving a draft
	// does the same.
	QuestionTouch = Request[QuestionParams, None]{"question/touch"}
)

// TimerConfigureParams are the user's setting.
type TimerConfigureParams struct {
	// After is the time in milliseconds (0 = never). 0 stops running timers.
	After int `json:"after"`
}
