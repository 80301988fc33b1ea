package locale

// Keys of what agents outside the editor, and their users there, are told.
const (
	AgentWaits     Key = "agent.waits"
	AgentNotShown  Key = "agent.not_shown"  // the program
	TicketNotShown Key = "ticket.not_shown" // the question's id, the program
	AgentNotAsked  Key = "agent.not_asked"  // why
	AgentNoHome    Key = "agent.no_home"
	AgentChoice    Key = "agent.choice"
	AgentOwnWords  Key = "agent.own_words"
	HookResult     Key = "hook.result"
	HookTimer      Key = "hook.timer"
	HookNoImages   Key = "hook.no_images" // how many, and why
)

var _ = register(English, func() Messages {
	return Messages{
		AgentWaits:     "Waiting for the user's answer",
		AgentNotShown:  "No inbox is open. To answer, run in a terminal: %[1]s answer (or for a browser: %[1]s web)",
		TicketNotShown: "Nobody can see the question: no inbox is open. The user has not declined, and the question stays open. Tell the user that it waits, and that they can answer it by running `%[2]s answer` in a terminal, or `%[2]s web` for a browser. Go on with other work if you can. To collect the answer later, call this tool again with {\"await\": \"%[1]s\"} as its whole input.",
		AgentNotAsked:  "The question was not asked, since nobody could see it. %[1]s",
		AgentNoHome:    "There is no home folder to keep it in: set HOME, or name a folder with FOLLOWUP_STORAGE.",
		AgentChoice:    "Your choice",
		AgentOwnWords:  "Or in your own words",
		HookResult:     "This question was put to the user. What follows is the result, although the call counts as blocked.",
		HookTimer:      "The user did not answer in the time that they have set for it: a timer chose this.",
		HookNoImages:   "Images of the answer that could not be handed on: %[1]d (%[2]v)",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		AgentWaits:     "En attente de la réponse de l'utilisateur",
		AgentNotShown:  "Aucune boîte de réception n'est ouverte. Pour répondre, lancez dans un terminal : %[1]s answer (ou pour un navigateur : %[1]s web)",
		TicketNotShown: "Personne ne peut voir la question : aucune boîte de réception n'est ouverte. L'utilisateur n'a pas refusé, et la question reste ouverte. Dites à l'utilisateur qu'elle l'attend, et qu'il peut y répondre en lançant `%[2]s answer` dans un terminal, ou `%[2]s web` pour un navigateur. Continuez avec un autre travail si possible. Pour obtenir la réponse plus tard, appelez à nouveau cet outil avec {\"await\": \"%[1]s\"} comme seule entrée.",
		AgentNotAsked:  "La question n'a pas été posée, car personne n'aurait pu la voir. %[1]s",
		AgentNoHome:    "Il n'y a pas de dossier personnel où la conserver : définissez HOME, ou indiquez un dossier avec FOLLOWUP_STORAGE.",
		AgentChoice:    "Votre choix",
		AgentOwnWords:  "Ou avec vos propres mots",
		HookResult:     "Cette question a été posée à l'utilisateur. Voici le résultat, bien que l'appel soit marqué comme bloqué.",
		HookTimer:      "L'utilisateur n'a pas répondu dans le délai qu'il a fixé : une minuterie a fait ce choix.",
		HookNoImages:   "Images de la réponse qui n'ont pas pu être transmises : %[1]d (%[2]v)",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		AgentWaits:     "正在等待用户回答",
		AgentNotShown:  "没有打开的收件箱。要回答，请在终端中运行：%[1]s answer（或在浏览器中回答：%[1]s web）",
		TicketNotShown: "没有人能看到该问题：没有打开的收件箱。用户没有拒绝，该问题仍然开放。请告诉用户有问题在等待回答，可以在终端中运行 `%[2]s answer` 回答，或运行 `%[2]s web` 在浏览器中回答。如果可以，请继续其他工作。之后要获取回答，请再次调用此工具，并以 {\"await\": \"%[1]s\"} 作为全部输入。",
		AgentNotAsked:  "该问题没有提出，因为没有人能看到它。%[1]s",
		AgentNoHome:    "没有可以保存它的主文件夹：请设置 HOME，或用 FOLLOWUP_STORAGE 指定一个文件夹。",
		AgentChoice:    "您的选择",
		AgentOwnWords:  "或用您自己的话回答",
		HookResult:     "该问题已向用户提出。以下是结果，尽管此调用显示为被阻止。",
		HookTimer:      "用户没有在其设定的时间内回答：这是由计时器选择的。",
		HookNoImages:   "回答中未能转交的图片：%[1]d 张（%[2]v）",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		AgentWaits:     "Aguardando a resposta do usuário",
		AgentNotShown:  "Nenhuma caixa de entrada está aberta. Para responder, execute em um terminal: %[1]s answer (ou, para um navegador: %[1]s web)",
		TicketNotShown: "Ninguém pode ver a pergunta: nenhuma caixa de entrada está aberta. O usuário não recusou, e a pergunta continua aberta. Diga ao usuário que ela o espera, e que ele pode respondê-la executando `%[2]s answer` em um terminal, ou `%[2]s web` para um navegador. Continue com outro trabalho, se puder. Para obter a resposta mais tarde, chame esta ferramenta novamente com {\"await\": \"%[1]s\"} como toda a entrada.",
		AgentNotAsked:  "A pergunta não foi feita, pois ninguém poderia vê-la. %[1]s",
		AgentNoHome:    "Não há uma pasta pessoal onde guardá-la: defina HOME, ou indique uma pasta com FOLLOWUP_STORAGE.",
		AgentChoice:    "Sua escolha",
		AgentOwnWords:  "Ou com as suas próprias palavras",
		HookResult:     "Esta pergunta foi feita ao usuário. A seguir está o resultado, embora a chamada conste como bloqueada.",
		HookTimer:      "O usuário não respondeu no tempo que definiu: um temporizador fez esta escolha.",
		HookNoImages:   "Imagens da resposta que não puderam ser repassadas: %[1]d (%[2]v)",
	}
})
