package locale

// Keys of what "followup ask", "followup answer" and "followup inbox" tell the user.
const (
	InboxEmpty    Key = "inbox.empty"
	InboxQueued   Key = "inbox.queued"
	InboxOrphaned Key = "inbox.orphaned"
	AskNobody     Key = "ask.nobody"
	AskNobodyEnds Key = "ask.nobody_ends"
	// AskNobodyThere and AskNobodyThereEnds are those of a hub.
	AskNobodyThere     Key = "ask.nobody_there"
	AskNobodyThereEnds Key = "ask.nobody_there_ends"
	AskDismissed       Key = "ask.dismissed"
	AskTimedOut        Key = "ask.timed_out" // how long
	AskWithdrawn       Key = "ask.withdrawn"
	AskKept            Key = "ask.kept"      // its id
	AskImages          Key = "ask.images"    // how many
	AskReplied         Key = "ask.replied"   //
	AskUnknown         Key = "ask.unknown"   // the id
	AskNoAnswer        Key = "ask.no_answer" // how it ended
)

var _ = register(English, func() Messages {
	return Messages{
		InboxEmpty:         "No question is open.",
		InboxQueued:        "queued behind another question",
		InboxOrphaned:      "no agent waits",
		AskNobody:          "No inbox is open. Answer the question in an editor with Followup, in a terminal with followup answer, or in a browser with followup web.",
		AskNobodyEnds:      "The question was not asked because no inbox is open. followup answer or followup web opens one.",
		AskNobodyThere:     "No inbox is open at the hub. Answer the question on the hub's page, in an editor that is connected to the hub, or in a terminal with followup answer --hub.",
		AskNobodyThereEnds: "The question was not asked because nobody has the hub's page open, or an editor that is connected to the hub.",
		AskDismissed:       "The question was dismissed.",
		AskTimedOut:        "No answer within %[1]s.",
		AskWithdrawn:       "The question was withdrawn elsewhere.",
		AskKept:            "The question stays open. To wait for its answer: followup ask --await %[1]s",
		AskImages:          "Images that came with the answer: %[1]d. --json prints them.",
		AskReplied:         "The user wrote about the question instead of answering it.",
		AskUnknown:         "There is no question %[1]s.",
		AskNoAnswer:        "The question ended without an answer: %[1]s",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		InboxEmpty:         "Aucune question n'est ouverte.",
		InboxQueued:        "en file derrière une autre question",
		InboxOrphaned:      "aucun agent n'attend",
		AskNobody:          "Aucune boîte de réception n'est ouverte. Répondez à la question dans un éditeur avec Followup, dans un terminal avec followup answer, ou dans un navigateur avec followup web.",
		AskNobodyEnds:      "La question n'a pas été posée : aucune boîte de réception n'est ouverte. followup answer ou followup web en ouvre une.",
		AskNobodyThere:     "Aucune boîte de réception n'est ouverte sur le hub. Répondez à la question sur la page du hub, dans un éditeur connecté au hub, ou dans un terminal avec followup answer --hub.",
		AskNobodyThereEnds: "La question n'a pas été posée : personne n'a ouvert la page du hub ni un éditeur connecté au hub.",
		AskDismissed:       "La question a été écartée.",
		AskTimedOut:        "Aucune réponse en %[1]s.",
		AskWithdrawn:       "La question a été retirée ailleurs.",
		AskKept:            "La question reste ouverte. Pour attendre la réponse : followup ask --await %[1]s",
		AskImages:          "Images jointes à la réponse : %[1]d. --json les affiche.",
		AskReplied:         "L'utilisateur a écrit à propos de la question au lieu d'y répondre.",
		AskUnknown:         "Il n'y a pas de question %[1]s.",
		AskNoAnswer:        "La question s'est terminée sans réponse : %[1]s",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		InboxEmpty:         "没有待回答的问题。",
		InboxQueued:        "排在另一个问题之后",
		InboxOrphaned:      "没有智能体在等待",
		AskNobody:          "没有打开的收件箱。请在装有 Followup 的编辑器中、在终端中用 followup answer，或在浏览器中用 followup web 回答。",
		AskNobodyEnds:      "没有打开的收件箱，因此未提出该问题。用 followup answer 或 followup web 可打开一个。",
		AskNobodyThere:     "中心没有打开的收件箱。请在中心的页面、连接到中心的编辑器中，或在终端中用 followup answer --hub 回答。",
		AskNobodyThereEnds: "未提出该问题：没有人打开中心的页面或连接到中心的编辑器。",
		AskDismissed:       "该问题未予回答。",
		AskTimedOut:        "%[1]s 内没有回答。",
		AskWithdrawn:       "该问题已在别处被撤回。",
		AskKept:            "该问题仍待回答。要等待回答：followup ask --await %[1]s",
		AskImages:          "随回答附带的图片：%[1]d 张。--json 会输出它们。",
		AskReplied:         "用户没有回答该问题，而是写了一段话。",
		AskUnknown:         "没有问题 %[1]s。",
		AskNoAnswer:        "该问题已结束，没有回答：%[1]s",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		InboxEmpty:         "Nenhuma pergunta está aberta.",
		InboxQueued:        "na fila atrás de outra pergunta",
		InboxOrphaned:      "nenhum agente espera",
		AskNobody:          "Nenhuma caixa de entrada está aberta. Responda à pergunta em um editor com o Followup, em um terminal com followup answer ou em um navegador com followup web.",
		AskNobodyEnds:      "A pergunta não foi feita porque nenhuma caixa de entrada está aberta. followup answer ou followup web abre uma.",
		AskNobodyThere:     "Nenhuma caixa de entrada está aberta no hub. Responda à pergunta na página do hub, em um editor conectado ao hub ou em um terminal com followup answer --hub.",
		AskNobodyThereEnds: "A pergunta não foi feita porque ninguém tem aberta a página do hub nem um editor conectado ao hub.",
		AskDismissed:       "A pergunta foi dispensada.",
		AskTimedOut:        "Nenhuma resposta em %[1]s.",
		AskWithdrawn:       "A pergunta foi retirada em outro lugar.",
		AskKept:            "A pergunta continua aberta. Para esperar pela resposta: followup ask --await %[1]s",
		AskImages:          "Imagens que vieram com a resposta: %[1]d. --json as imprime.",
		AskReplied:         "O usuário escreveu sobre a pergunta em vez de respondê-la.",
		AskUnknown:         "Não há pergunta %[1]s.",
		AskNoAnswer:        "A pergunta terminou sem resposta: %[1]s",
	}
})
