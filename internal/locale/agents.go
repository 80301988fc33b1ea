package locale

// Keys of what agents outside the editor, and their users there, are told.
const (
	AgentWaits    Key = "agent.waits"
	AgentNotAsked Key = "agent.not_asked" // why
	AgentNoHome   Key = "agent.no_home"
	AgentChoice   Key = "agent.choice"
	AgentOwnWords Key = "agent.own_words"
	HookResult    Key = "hook.result"
	HookTimer     Key = "hook.timer"
	HookNoImages  Key = "hook.no_images" // how many, and why
)

var _ = register(English, func() Messages {
	return Messages{
		AgentWaits:    "Waiting for the user's answer",
		AgentNotAsked: "The question was not asked, since nobody could see it. %[1]s",
		AgentNoHome:   "There is no home folder to keep it in: set HOME, or name a folder with FOLLOWUP_STORAGE.",
		AgentChoice:   "Your choice",
		AgentOwnWords: "Or in your own words",
		HookResult:    "This question was put to the user. What follows is the result, although the call counts as blocked.",
		HookTimer:     "The user did not answer in the time that they have set for it: a timer chose this.",
		HookNoImages:  "Images of the answer that could not be handed on: %[1]d (%[2]v)",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		AgentWaits:    "En attente de la réponse de l'utilisateur",
		AgentNotAsked: "La question n'a pas été posée, car personne n'aurait pu la voir. %[1]s",
		AgentNoHome:   "Il n'y a pas de dossier personnel où la conserver : définissez HOME, ou indiquez un dossier avec FOLLOWUP_STORAGE.",
		AgentChoice:   "Votre choix",
		AgentOwnWords: "Ou avec vos propres mots",
		HookResult:    "Cette question a été posée à l'utilisateur. Voici le résultat, bien que l'appel soit marqué comme bloqué.",
		HookTimer:     "L'utilisateur n'a pas répondu dans le délai qu'il a fixé : une minuterie a fait ce choix.",
		HookNoImages:  "Images de la réponse qui n'ont pas pu être transmises : %[1]d (%[2]v)",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		AgentWaits:    "正在等待用户回答",
		AgentNotAsked: "该问题没有提出，因为没有人能看到它。%[1]s",
		AgentNoHome:   "没有可以保存它的主文件夹：请设置 HOME，或用 FOLLOWUP_STORAGE 指定一个文件夹。",
		AgentChoice:   "您的选择",
		AgentOwnWords: "或用您自己的话回答",
		HookResult:    "该问题已向用户提出。以下是结果，尽管此调用显示为被阻止。",
		HookTimer:     "用户没有在其设定的时间内回答：这是由计时器选择的。",
		HookNoImages:  "回答中未能转交的图片：%[1]d 张（%[2]v）",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		AgentWaits:    "Aguardando a resposta do usuário",
		AgentNotAsked: "A pergunta não foi feita, pois ninguém poderia vê-la. %[1]s",
		AgentNoHome:   "Não há uma pasta pessoal onde guardá-la: defina HOME, ou indique uma pasta com FOLLOWUP_STORAGE.",
		AgentChoice:   "Sua escolha",
		AgentOwnWords: "Ou com as suas próprias palavras",
		HookResult:    "Esta pergunta foi feita ao usuário. A seguir está o resultado, embora a chamada conste como bloqueada.",
		HookTimer:     "O usuário não respondeu no tempo que definiu: um temporizador fez esta escolha.",
		HookNoImages:  "Imagens da resposta que não puderam ser repassadas: %[1]d (%[2]v)",
	}
})
