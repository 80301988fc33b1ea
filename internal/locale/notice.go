package locale

// Keys of what a notice says.
const (
	NoticeQuestion Key = "notice.question" // the agent
	NoticeGuidance Key = "notice.guidance" // the agent
	PushMany       Key = "push.many"       // how many, more than three
	PushOver       Key = "push.over"
	PushTest       Key = "push.test"
)

var _ = register(English, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s asks you",
		NoticeGuidance: "%[1]s needs your help",
		PushMany:       "%[1]d questions wait for you",
		PushOver:       "No answer is needed any more.",
		PushTest:       "Notifications reach this browser.",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s vous pose une question",
		NoticeGuidance: "%[1]s a besoin de votre aide",
		PushMany:       "%[1]d questions vous attendent",
		PushOver:       "Une réponse n'est plus nécessaire.",
		PushTest:       "Les notifications arrivent dans ce navigateur.",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s 向您提问",
		NoticeGuidance: "%[1]s 需要您的帮助",
		PushMany:       "有 %[1]d 个问题在等待您",
		PushOver:       "已不再需要回答。",
		PushTest:       "此浏览器可以收到通知。",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		NoticeQuestion: "%[1]s tem uma pergunta para você",
		NoticeGuidance: "%[1]s precisa da sua ajuda",
		PushMany:       "%[1]d perguntas esperam por você",
		PushOver:       "Não é mais necessário responder.",
		PushTest:       "As notificações chegam a este navegador.",
	}
})
