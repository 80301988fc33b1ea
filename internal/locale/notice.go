package locale

// Keys of what a notice says.
const (
	NoticeQuestion Key = "notice.question" // the agent
	NoticeGuidance Key = "notice.guidance" // the agent
)

var _ = register(English, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s asks you",
		NoticeGuidance: "%[1]s needs your help",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s vous pose une question",
		NoticeGuidance: "%[1]s a besoin de votre aide",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s 向您提问",
		NoticeGuidance: "%[1]s 需要您的帮助",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s tem uma pergunta para você",
		NoticeGuidance: "%[1]s precisa da sua ajuda",
	}
})
