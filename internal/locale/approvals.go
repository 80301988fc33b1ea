package locale

// Keys of approvals, told to agents.
const (
	OutcomeDenied      Key = "outcome.denied"
	OutcomeDeniedWords Key = "outcome.denied_words" // the user's words follow
)

// Keys of what an agent would remember if it was allowed for longer than once, told to the user.
const (
	GrantRule     Key = "grant.rule"     // the rule
	GrantPatterns Key = "grant.patterns" // the permission, the patterns
	GrantFolders  Key = "grant.folders"  // the folders
	GrantEdits    Key = "grant.edits"
	GrantMode     Key = "grant.mode"   // the mode
	GrantPlaced   Key = "grant.placed" // what is allowed, where
	GrantSession  Key = "grant.session"
	GrantLocal    Key = "grant.local"
	GrantProject  Key = "grant.project"
	GrantUser     Key = "grant.user"
	PlanNotes     Key = "plan.notes" // told to the agent: the user's words follow
)

// Keys of how an approval is decided in a terminal.
const (
	DecidePrompt  Key = "decide.prompt"
	DecideWord    Key = "decide.word"
	DecideUnseen  Key = "decide.unseen"
	DecideInstead Key = "decide.instead"
	DecideLeave   Key = "decide.leave"
	KeyRead       Key = "key.read"
)

// Keys of what doctor and connect say of approvals.
const (
	DoctorApprovals   Key = "doctor.approvals" // the agent, the tools
	DoctorAllTools    Key = "doctor.all_tools"
	ConnectNoApproval Key = "connect.no_approval" // the agent
	ConnectNoNarrow   Key = "connect.no_narrow"   // the agent
	// ConnectKeepsApprovals and ConnectEndsApprovals say what becomes of approvals that an agent was connected with.
	ConnectKeepsApprovals Key = "connect.keeps_approvals" // the agent, the tools
	ConnectEndsApprovals  Key = "connect.ends_approvals"  // the agent
)

// Keys of why a decision is refused, told to the user. The approval stays as it was.
const (
	RefusedNoApproval      Key = "refused.no_approval"
	RefusedNeedsDecision   Key = "refused.needs_decision"
	RefusedNoSuchChoice    Key = "refused.no_such_choice"
	RefusedNotWhatWasShown Key = "refused.not_what_was_shown"
	RefusedNotChangeable   Key = "refused.not_changeable"
)

// Keys of approvals as people read them.
const (
	HistoryAllowed Key = "history.allowed"
	HistoryDenied  Key = "history.denied"
	HistoryFrom    Key = "history.from" // how it ended, the program that this came from
	HistoryChanged Key = "history.changed"
	ChoiceOnce     Key = "choice.once"
	ChoiceSession  Key = "choice.session"
	ChoiceAlways   Key = "choice.always"
	ChoiceDeny     Key = "choice.deny"
	ChoiceApprove  Key = "choice.approve" // a plan
	ChoicePlan     Key = "choice.plan"    // not this one: another
)

var _ = register(English, func() Messages {
	return Messages{
		DecidePrompt:           "Type a word from the list, /next or /quit: ",
		DecideWord:             "Type one of the words above. Words for the agent can follow “deny”, and a plan’s “allow”.",
		DecideUnseen:           "Look at all of it first, with PgUp and PgDn.",
		DecideInstead:          "Allow another command, which follows this word",
		DecideLeave:            "Leave it to the agent's own dialog",
		KeyRead:                "read all of it",
		DoctorApprovals:        "%[1]s asks for permission in the inbox, too: %[2]s",
		DoctorAllTools:         "all tools",
		ConnectNoApproval:      "%[1]s cannot be asked for permission from outside.",
		ConnectNoNarrow:        "%[1]s cannot limit its requests for permission to some tools: leave the list out.",
		ConnectKeepsApprovals:  "%[1]s still asks for permission in the inbox, too: %[2]s. --approvals=none turns that off.",
		ConnectEndsApprovals:   "%[1]s asks for permission in its own dialog alone from now on.",
		GrantRule:              "Runs %[1]s without asking",
		GrantPatterns:          "Allows %[1]s without asking: %[2]s",
		GrantFolders:           "Works in these folders, too: %[1]s",
		GrantEdits:             "Accepts all file edits without asking",
		GrantMode:              "Switches to the permission mode %[1]s",
		GrantPlaced:            "%[1]s (%[2]s)",
		GrantSession:           "until this session ends",
		GrantLocal:             "kept for you in this project, in .claude/settings.local.json",
		GrantProject:           "kept for everybody in this project, in .claude/settings.json",
		GrantUser:              "kept for all your projects, in ~/.claude/settings.json",
		PlanNotes:              "The user's notes on this plan:",
		OutcomeDenied:          "The user denied this.",
		OutcomeDeniedWords:     "The user denied this and said:",
		RefusedNoApproval:      "This is a question: answer it. Only an approval can be allowed or denied.",
		RefusedNeedsDecision:   "This has to be allowed or denied; it takes no answer.",
		RefusedNoSuchChoice:    "The approval has no such option.",
		RefusedNotWhatWasShown: "Nothing was allowed: what was shown is not what the agent wants to do. Look at it again.",
		RefusedNotChangeable:   "This cannot be changed, or not with this option.",
		HistoryAllowed:         "Allowed",
		HistoryDenied:          "Denied",
		HistoryFrom:            "%[1]s (%[2]s)",
		HistoryChanged:         "Allowed in its place:",
		ChoiceOnce:             "Allow once",
		ChoiceSession:          "Allow for this session",
		ChoiceAlways:           "Always allow",
		ChoiceDeny:             "Deny",
		ChoiceApprove:          "Approve",
		ChoicePlan:             "Keep planning",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		DecidePrompt:           "Tapez un mot de la liste, /next ou /quit : ",
		DecideWord:             "Tapez un des mots ci-dessus. Des mots pour l’agent peuvent suivre « deny », et le « allow » d’un plan.",
		DecideUnseen:           "Regardez d’abord tout, avec PgUp et PgDn.",
		DecideInstead:          "Autoriser une autre commande, qui suit ce mot",
		DecideLeave:            "S'en remettre à la boîte de dialogue de l'agent",
		KeyRead:                "tout lire",
		DoctorApprovals:        "%[1]s demande aussi ses autorisations dans la boîte de réception : %[2]s",
		DoctorAllTools:         "tous les outils",
		ConnectNoApproval:      "Les autorisations de %[1]s ne peuvent pas être données de l'extérieur.",
		ConnectNoNarrow:        "%[1]s ne peut pas limiter ses demandes d'autorisation à certains outils : omettez la liste.",
		ConnectKeepsApprovals:  "%[1]s demande toujours aussi ses autorisations dans la boîte de réception : %[2]s. --approvals=none désactive cela.",
		ConnectEndsApprovals:   "%[1]s ne demande désormais ses autorisations que dans sa propre boîte de dialogue.",
		GrantRule:              "Exécute %[1]s sans demander",
		GrantPatterns:          "Autorise %[1]s sans demander : %[2]s",
		GrantFolders:           "Travaille aussi dans ces dossiers : %[1]s",
		GrantEdits:             "Accepte toutes les modifications de fichiers sans demander",
		GrantMode:              "Passe au mode d'autorisation %[1]s",
		GrantPlaced:            "%[1]s (%[2]s)",
		GrantSession:           "jusqu'à la fin de cette session",
		GrantLocal:             "conservé pour vous dans ce projet, dans .claude/settings.local.json",
		GrantProject:           "conservé pour tous dans ce projet, dans .claude/settings.json",
		GrantUser:              "conservé pour tous vos projets, dans ~/.claude/settings.json",
		PlanNotes:              "Remarques de l'utilisateur sur ce plan :",
		OutcomeDenied:          "L'utilisateur a refusé.",
		OutcomeDeniedWords:     "L'utilisateur a refusé et a dit :",
		RefusedNoApproval:      "C'est une question : répondez-y. Seule une demande d'autorisation peut être autorisée ou refusée.",
		RefusedNeedsDecision:   "Ceci doit être autorisé ou refusé ; une réponse ne suffit pas.",
		RefusedNoSuchChoice:    "La demande d'autorisation n'a pas de telle option.",
		RefusedNotWhatWasShown: "Rien n'a été autorisé : ce qui était affiché n'est pas ce que l'agent veut faire. Regardez à nouveau.",
		RefusedNotChangeable:   "Ceci ne peut pas être modifié, ou pas avec cette option.",
		HistoryAllowed:         "Autorisé",
		HistoryDenied:          "Refusé",
		HistoryFrom:            "%[1]s (%[2]s)",
		HistoryChanged:         "Autorisé à la place :",
		ChoiceOnce:             "Autoriser une fois",
		ChoiceSession:          "Autoriser pour cette session",
		ChoiceAlways:           "Toujours autoriser",
		ChoiceDeny:             "Refuser",
		ChoiceApprove:          "Approuver",
		ChoicePlan:             "Continuer à planifier",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		DecidePrompt:           "输入列表中的一个词，或 /next、/quit：",
		DecideWord:             "请输入上面的一个词。“deny”以及计划的“allow”之后可以写给智能体的话。",
		DecideUnseen:           "请先用 PgUp 和 PgDn 看完全部内容。",
		DecideInstead:          "允许另一条命令，写在该词之后",
		DecideLeave:            "留给智能体自己的对话框",
		KeyRead:                "阅读全部内容",
		DoctorApprovals:        "%[1]s 也会在收件箱中请求权限：%[2]s",
		DoctorAllTools:         "所有工具",
		ConnectNoApproval:      "无法从外部为 %[1]s 授予权限。",
		ConnectNoNarrow:        "%[1]s 无法将权限请求限制为某些工具：请省略该列表。",
		ConnectKeepsApprovals:  "%[1]s 仍会在收件箱中请求权限：%[2]s。可用 --approvals=none 关闭。",
		ConnectEndsApprovals:   "从现在起，%[1]s 只在自己的对话框中请求权限。",
		GrantRule:              "不再询问即可运行 %[1]s",
		GrantPatterns:          "不再询问即可执行 %[1]s：%[2]s",
		GrantFolders:           "也可在这些文件夹中工作：%[1]s",
		GrantEdits:             "不再询问即可接受所有文件编辑",
		GrantMode:              "切换到权限模式 %[1]s",
		GrantPlaced:            "%[1]s（%[2]s）",
		GrantSession:           "直到此会话结束",
		GrantLocal:             "为您保存在此项目的 .claude/settings.local.json 中",
		GrantProject:           "为所有人保存在此项目的 .claude/settings.json 中",
		GrantUser:              "为您的所有项目保存在 ~/.claude/settings.json 中",
		PlanNotes:              "用户对此计划的备注：",
		OutcomeDenied:          "用户拒绝了此操作。",
		OutcomeDeniedWords:     "用户拒绝了此操作，并说：",
		RefusedNoApproval:      "这是一个问题：请回答。只有批准请求可以被允许或拒绝。",
		RefusedNeedsDecision:   "此请求必须被允许或拒绝，不能以回答代替。",
		RefusedNoSuchChoice:    "该批准请求没有这个选项。",
		RefusedNotWhatWasShown: "未允许任何操作：所显示的内容与智能体要执行的内容不同。请再看一遍。",
		RefusedNotChangeable:   "此内容不能更改，或不能与该选项一起更改。",
		HistoryAllowed:         "已允许",
		HistoryDenied:          "已拒绝",
		HistoryFrom:            "%[1]s（%[2]s）",
		HistoryChanged:         "改为允许：",
		ChoiceOnce:             "允许一次",
		ChoiceSession:          "在此会话中允许",
		ChoiceAlways:           "始终允许",
		ChoiceDeny:             "拒绝",
		ChoiceApprove:          "批准",
		ChoicePlan:             "继续规划",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		DecidePrompt:           "Digite uma palavra da lista, /next ou /quit: ",
		DecideWord:             "Digite uma das palavras acima. Palavras para o agente podem vir depois de “deny”, e do “allow” de um plano.",
		DecideUnseen:           "Veja tudo primeiro, com PgUp e PgDn.",
		DecideInstead:          "Permitir outro comando, que vem depois desta palavra",
		DecideLeave:            "Deixar para a caixa de diálogo do próprio agente",
		KeyRead:                "ler tudo",
		DoctorApprovals:        "%[1]s também pede permissão na caixa de entrada: %[2]s",
		DoctorAllTools:         "todas as ferramentas",
		ConnectNoApproval:      "Não é possível dar permissão a %[1]s de fora.",
		ConnectNoNarrow:        "%[1]s não pode limitar seus pedidos de permissão a algumas ferramentas: omita a lista.",
		ConnectKeepsApprovals:  "%[1]s continua pedindo permissão também na caixa de entrada: %[2]s. --approvals=none desativa isso.",
		ConnectEndsApprovals:   "%[1]s pede permissão a partir de agora apenas na própria caixa de diálogo.",
		GrantRule:              "Executa %[1]s sem perguntar",
		GrantPatterns:          "Permite %[1]s sem perguntar: %[2]s",
		GrantFolders:           "Trabalha também nestas pastas: %[1]s",
		GrantEdits:             "Aceita todas as edições de arquivos sem perguntar",
		GrantMode:              "Muda para o modo de permissão %[1]s",
		GrantPlaced:            "%[1]s (%[2]s)",
		GrantSession:           "até o fim desta sessão",
		GrantLocal:             "guardado para você neste projeto, em .claude/settings.local.json",
		GrantProject:           "guardado para todos neste projeto, em .claude/settings.json",
		GrantUser:              "guardado para todos os seus projetos, em ~/.claude/settings.json",
		PlanNotes:              "Observações do usuário sobre este plano:",
		OutcomeDenied:          "O usuário negou isto.",
		OutcomeDeniedWords:     "O usuário negou isto e disse:",
		RefusedNoApproval:      "Isto é uma pergunta: responda a ela. Só um pedido de aprovação pode ser permitido ou negado.",
		RefusedNeedsDecision:   "Isto precisa ser permitido ou negado; não aceita uma resposta.",
		RefusedNoSuchChoice:    "O pedido de aprovação não tem essa opção.",
		RefusedNotWhatWasShown: "Nada foi permitido: o que foi mostrado não é o que o agente quer fazer. Olhe de novo.",
		RefusedNotChangeable:   "Isto não pode ser alterado, ou não com esta opção.",
		HistoryAllowed:         "Permitido",
		HistoryDenied:          "Negado",
		HistoryFrom:            "%[1]s (%[2]s)",
		HistoryChanged:         "Permitido no lugar:",
		ChoiceOnce:             "Permitir uma vez",
		ChoiceSession:          "Permitir nesta sessão",
		ChoiceAlways:           "Permitir sempre",
		ChoiceDeny:             "Negar",
		ChoiceApprove:          "Aprovar",
		ChoicePlan:             "Continuar planejando",
	}
})
