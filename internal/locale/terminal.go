package locale

// Keys of what "followup ask", "followup answer" and "followup inbox" tell the user.
const (
	InboxEmpty    Key = "inbox.empty"
	InboxQueued   Key = "inbox.queued"
	InboxOrphaned Key = "inbox.orphaned"
	AskNobody     Key = "ask.nobody"
	AskNobodyEnds Key = "ask.nobody_ends"
	AskDismissed  Key = "ask.dismissed"
	AskTimedOut   Key = "ask.timed_out" // how long
	AskWithdrawn  Key = "ask.withdrawn"
	AskKept       Key = "ask.kept"      // its id
	AskImages     Key = "ask.images"    // how many
	AskReplied    Key = "ask.replied"   //
	AskUnknown    Key = "ask.unknown"   // the id
	AskNoAnswer   Key = "ask.no_answer" // how it ended
)

var _ = register(English, func() Messages {
	return Messages{
		InboxEmpty:    "No question is open.",
		InboxQueued:   "waits for the one before it",
		InboxOrphaned: "its agent is gone",
		AskNobody:     "No inbox is open at the moment. The question waits: answer it in an editor with Followup, or with followup answer in a terminal, or with followup web in a browser.",
		AskNobodyEnds: "The question was not asked, since no inbox is open: see followup answer and followup web.",
		AskDismissed:  "The question was dismissed.",
		AskTimedOut:   "There was no answer within %[1]s.",
		AskWithdrawn:  "The question was withdrawn elsewhere.",
		AskKept:       "It stays open. For the answer: followup ask --await %[1]s",
		AskImages:     "Images that came with the answer: %[1]d. --json prints them.",
		AskReplied:    "The user wrote about the question instead of answering it.",
		AskUnknown:    "There is no question %[1]s.",
		AskNoAnswer:   "The question has ended without an answer: %[1]s",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		InboxEmpty:    "Aucune question n'est ouverte.",
		InboxQueued:   "attend la précédente",
		InboxOrphaned: "son agent n'est plus là",
		AskNobody:     "Aucune boîte de réception n'est ouverte pour le moment. La question attend : répondez-y dans un éditeur avec Followup, avec followup answer dans un terminal, ou avec followup web dans un navigateur.",
		AskNobodyEnds: "La question n'a pas été posée, car aucune boîte de réception n'est ouverte : voyez followup answer et followup web.",
		AskDismissed:  "La question a été écartée.",
		AskTimedOut:   "Aucune réponse n'est venue en %[1]s.",
		AskWithdrawn:  "La question a été retirée ailleurs.",
		AskKept:       "Elle reste ouverte. Pour la réponse : followup ask --await %[1]s",
		AskImages:     "Images jointes à la réponse : %[1]d. --json les affiche.",
		AskReplied:    "L'utilisateur a écrit à propos de la question au lieu d'y répondre.",
		AskUnknown:    "Il n'y a pas de question %[1]s.",
		AskNoAnswer:   "La question s'est terminée sans réponse : %[1]s",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		InboxEmpty:    "没有待回答的问题。",
		InboxQueued:   "等待前一个问题",
		InboxOrphaned: "提问的智能体已离开",
		AskNobody:     "目前没有打开的收件箱。问题会一直等待：请在装有 Followup 的编辑器中回答，或在终端中用 followup answer，或在浏览器中用 followup web。",
		AskNobodyEnds: "该问题没有提出，因为没有打开的收件箱：请参阅 followup answer 和 followup web。",
		AskDismissed:  "该问题未予回答。",
		AskTimedOut:   "%[1]s 内没有回答。",
		AskWithdrawn:  "该问题已在别处被撤回。",
		AskKept:       "它仍可回答。要获取回答：followup ask --await %[1]s",
		AskImages:     "随回答附带的图片：%[1]d 张。--json 会输出它们。",
		AskReplied:    "用户没有回答该问题，而是写了一段话。",
		AskUnknown:    "没有问题 %[1]s。",
		AskNoAnswer:   "该问题已结束，没有回答：%[1]s",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		InboxEmpty:    "Nenhuma pergunta está aberta.",
		InboxQueued:   "espera pela anterior",
		InboxOrphaned: "o agente dela não está mais aqui",
		AskNobody:     "Nenhuma caixa de entrada está aberta no momento. A pergunta espera: responda em um editor com o Followup, com followup answer em um terminal, ou com followup web em um navegador.",
		AskNobodyEnds: "A pergunta não foi feita, pois nenhuma caixa de entrada está aberta: veja followup answer e followup web.",
		AskDismissed:  "A pergunta foi dispensada.",
		AskTimedOut:   "Não houve resposta em %[1]s.",
		AskWithdrawn:  "A pergunta foi retirada em outro lugar.",
		AskKept:       "Ela continua aberta. Para a resposta: followup ask --await %[1]s",
		AskImages:     "Imagens que vieram com a resposta: %[1]d. --json as imprime.",
		AskReplied:    "O usuário escreveu sobre a pergunta em vez de respondê-la.",
		AskUnknown:    "Não há pergunta %[1]s.",
		AskNoAnswer:   "A pergunta terminou sem resposta: %[1]s",
	}
})
