package protocol

var (
	// TimerConfigure sets after how long the first suggestion of a question is taken in the user's place. Nothing is until this was
	// called: the user has to want it. It never is for guidance, nor for a questionnaire with more than one question.
	TimerConfigure = Request[TimerConfigureParams, None]{"timer/configure"}
	// QuestionTouch tells that the user is at a question: no choice is made for them any more, in no window, for good. A draft that is
	// saved tells it too.
	QuestionTouch = Request[QuestionParams, None]{"question/touch"}
)

// TimerConfigureParams is what the user has set.
type TimerConfigureParams struct {
	// After is how many milliseconds the user has; 0: no choice is ever made for them, and what runs is stopped.
	After int `json:"after"`
}
