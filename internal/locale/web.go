package locale

// Keys of what "followup web" prints.
const (
	WebOpen      Key = "web.open"
	WebOpened    Key = "web.opened"
	WebEnd       Key = "web.end"
	WebAPI       Key = "web.api"        // the address and the file
	WebNotSecure Key = "web.not_secure" // the address
	HubOpen      Key = "hub.open"
	HubInvited   Key = "hub.invited" // the name
	HubBegun     Key = "hub.begun"   // the place
	HubForbidden Key = "hub.forbidden"
	// HubNotApprover refuses to decide on a request for permission.
	HubNotApprover Key = "hub.not_approver"
)

var _ = register(English, func() Messages {
	return Messages{
		WebOpen:        "Open this address in your browser. It can be used once.",
		WebOpened:      "Opening your browser. If it does not show the page, open this address. It can be used once.",
		WebEnd:         "Press Ctrl+C to stop.",
		WebAPI:         "Programs ask at %[1]s, with the token in\n%[2]s",
		HubOpen:        "The hub is running at this address. Invite people and agents with \"followup hub invite\".",
		HubInvited:     "The token of %[1]s; it cannot be shown again:",
		HubBegun:       "Creating a new storage in %[1]s.",
		HubForbidden:   "A hub does not take this from you: what all share is not changed or deleted by one, and an agent reaches its own questions alone.",
		HubNotApprover: "You may not decide on requests for permission at this hub. Whoever runs it can let you: followup hub invite NAME --renew --may-approve.",
		WebNotSecure:   "others can reach %[1]s: name a certificate with --tls-cert and --tls-key, or allow it without one by --insecure",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		WebOpen:        "Ouvrez cette adresse dans votre navigateur. Elle ne sert qu'une fois.",
		WebOpened:      "Votre navigateur s'ouvre. S'il n'affiche pas la page, ouvrez cette adresse. Elle ne sert qu'une fois.",
		WebEnd:         "Appuyez sur Ctrl+C pour arrêter.",
		WebAPI:         "Les programmes posent leurs questions à %[1]s, avec le jeton du fichier\n%[2]s",
		HubOpen:        "Le hub est à cette adresse. Invitez personnes et agents avec « followup hub invite ».",
		HubInvited:     "Le jeton de %[1]s ; il ne pourra plus être affiché :",
		HubBegun:       "Création d'un nouveau stockage dans %[1]s.",
		HubForbidden:   "Un hub n'accepte pas cela de vous : ce que tous partagent n'est ni modifié ni supprimé par un seul, et un agent n'atteint que ses propres questions.",
		HubNotApprover: "Vous ne pouvez pas décider des demandes d'autorisation de ce hub. La personne qui le gère peut vous le permettre : followup hub invite NOM --renew --may-approve.",
		WebNotSecure:   "d'autres peuvent atteindre %[1]s : indiquez un certificat avec --tls-cert et --tls-key, ou acceptez de vous en passer avec --insecure",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		WebOpen:        "请在浏览器中打开此地址。它只能使用一次。",
		WebOpened:      "正在打开浏览器。如果页面没有显示，请打开此地址。它只能使用一次。",
		WebEnd:         "按 Ctrl+C 停止。",
		WebAPI:         "程序在 %[1]s 提问，令牌在以下文件中：\n%[2]s",
		HubOpen:        "中心正在此地址运行。用“followup hub invite”邀请人员和智能体。",
		HubInvited:     "%[1]s 的令牌；之后无法再次显示：",
		HubBegun:       "正在 %[1]s 中创建新的存储。",
		HubForbidden:   "中心不接受您的此操作：共享内容不能由一人更改或删除，智能体只能访问自己的问题。",
		HubNotApprover: "您无权在此中心处理权限请求。中心的管理者可以授权：followup hub invite 名称 --renew --may-approve。",
		WebNotSecure:   "其他人可以访问 %[1]s：请用 --tls-cert 和 --tls-key 指定证书，或用 --insecure 允许不使用证书",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		WebOpen:        "Abra este endereço no navegador. Ele só pode ser usado uma vez.",
		WebOpened:      "Abrindo o navegador. Se a página não aparecer, abra este endereço. Ele só pode ser usado uma vez.",
		WebEnd:         "Pressione Ctrl+C para parar.",
		WebAPI:         "Os programas perguntam em %[1]s, com o token do arquivo\n%[2]s",
		HubOpen:        "O hub está neste endereço. Convide pessoas e agentes com \"followup hub invite\".",
		HubInvited:     "O token de %[1]s; não poderá ser mostrado de novo:",
		HubBegun:       "Criando um novo armazenamento em %[1]s.",
		HubForbidden:   "Um hub não aceita isso de você: o que todos compartilham não é alterado nem excluído por um só, e um agente só alcança as próprias perguntas.",
		HubNotApprover: "Você não pode decidir sobre pedidos de permissão neste hub. Quem o administra pode autorizar: followup hub invite NOME --renew --may-approve.",
		WebNotSecure:   "outros podem alcançar %[1]s: indique um certificado com --tls-cert e --tls-key, ou permita sem ele com --insecure",
	}
})
