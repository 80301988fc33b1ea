package locale

// Texts that several packages use.
const (
	AgentNoHome         Key = "There is no home folder to store it in: set HOME, or name a folder with FOLLOWUP_STORAGE."
	AgentNotShown       Key = "No inbox is open. To answer, run in a terminal: {0} answer (or for a browser: {0} web)"
	HistoryUnknownEntry Key = "This entry is no longer in the history."
	OutcomeDismissed    Key = "The user saw the question and declined to answer it."
	OutcomeWithdrawn    Key = "The question was withdrawn before anyone answered it."
	RefusedNotPending   Key = "This question cannot be answered yet: it is still arriving, or another one comes first."
	TicketWaiting       Key = "The user has not answered yet, and has not declined either. The question stays open. To collect the " +
		`answer later, call this tool again with {"await": "{0}"} as its whole input.`
)
