package locale

// Keys of what "followup web" prints.
const (
	WebOpen      Key = "web.open"
	WebEnd       Key = "web.end"
	WebNotSecure Key = "web.not_secure" // the address
	HubOpen      Key = "hub.open"
	HubInvited   Key = "hub.invited" // the name
	HubBegun     Key = "hub.begun"   // the place
	HubForbidden Key = "hub.forbidden"
)

var _ = register(English, func() Messages {
	return Messages{
		WebOpen:      "Open this address in your browser. It can be used once.",
		WebEnd:       "Ctrl+C ends it.",
		HubOpen:      "The hub is here. \"followup hub invite\" lets people and agents in.",
		HubInvited:   "The token of %[1]s; it cannot be shown again:",
		HubBegun:     "A new store is begun in %[1]s.",
		HubForbidden: "A hub does not take this from you: what all share is not changed or deleted by one, and an agent reaches its own questions alone.",
		WebNotSecure: "others can reach %[1]s: name a certificate with --tls-cert and --tls-key, or allow it without one by --insecure",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		WebOpen:      "Ouvrez cette adresse dans votre navigateur. Elle ne sert qu'une fois.",
		WebEnd:       "Ctrl+C y met fin.",
		HubOpen:      "Le hub est ici. « followup hub invite » y laisse entrer personnes et agents.",
		HubInvited:   "Le jeton de %[1]s ; il ne pourra plus être affiché :",
		HubBegun:     "Un nouveau stockage est créé dans %[1]s.",
		HubForbidden: "Un hub n'accepte pas cela de vous : ce que tous partagent n'est ni modifié ni supprimé par un seul, et un agent n'atteint que ses propres questions.",
		WebNotSecure: "d'autres peuvent atteindre %[1]s : indiquez un certificat avec --tls-cert et --tls-key, ou acceptez de vous en passer avec --insecure",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		WebOpen:      "请在浏览器中打开此地址。它只能使用一次。",
		WebEnd:       "按 Ctrl+C 结束。",
		HubOpen:      "中心在此地址。用“followup hub invite”邀请人员和代理。",
		HubInvited:   "%[1]s 的令牌；之后无法再次显示：",
		HubBegun:     "正在 %[1]s 中创建新的存储。",
		HubForbidden: "中心不接受您的此操作：共享内容不能由一人更改或删除，智能体只能访问自己的问题。",
		WebNotSecure: "其他人可以访问 %[1]s：请用 --tls-cert 和 --tls-key 指定证书，或用 --insecure 允许不使用证书",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		WebOpen:      "Abra este endereço no navegador. Ele só pode ser usado uma vez.",
		WebEnd:       "Ctrl+C encerra.",
		HubOpen:      "O hub está aqui. \"followup hub invite\" deixa entrar pessoas e agentes.",
		HubInvited:   "O token de %[1]s; não poderá ser mostrado de novo:",
		HubBegun:     "Um novo armazenamento é criado em %[1]s.",
		HubForbidden: "Um hub não aceita isso de você: o que todos compartilham não é alterado nem excluído por um só, e um agente só alcança as próprias perguntas.",
		WebNotSecure: "outros podem alcançar %[1]s: indique um certificado com --tls-cert e --tls-key, ou permita sem ele com --insecure",
	}
})
