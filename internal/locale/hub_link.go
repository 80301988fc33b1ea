package locale

// Keys of what is told of the link to a team's hub.
const (
	HubAway           Key = "hub.away"            // the hub, why
	HubToken          Key = "hub.token"           // the hub
	HubVersion        Key = "hub.version"         // the hub, what it says
	HubNone           Key = "hub.none"            // the address, what was found there
	HubCertificate    Key = "hub.certificate"     // the host, what is wrong
	HubNotNow         Key = "hub.not_now"         // the hub
	HubURL            Key = "hub.url"             // the address
	HubInsecure       Key = "hub.insecure"        // the address
	HubTokenFile      Key = "hub.token_file"      // the file, why
	HubTokenOpen      Key = "hub.token_open"      // the file, its mode
	HubTokenElsewhere Key = "hub.token_elsewhere" // the file, the address
	HubNoToken        Key = "hub.no_token"
	HubRoots          Key = "hub.roots"     // the file, why
	HubNoAgent        Key = "hub.no_agent"  // the hub
	HubNoPerson       Key = "hub.no_person" // the hub
	AgentHubAway      Key = "agent.hub_away"
	AskLeft           Key = "ask.left" // the question's id
)

var _ = register(English, func() Messages {
	return Messages{
		HubAway:           "There is no connection to the hub %[1]s (%[2]s). It is tried again.",
		HubToken:          "The hub %[1]s does not accept the token: it is unknown there, or was revoked. Ask whoever runs the hub for another one.",
		HubVersion:        "The hub %[1]s is of another version: %[2]s",
		HubNone:           "There is no hub of Followup's at %[1]s (%[2]s).",
		HubCertificate:    "The certificate of %[1]s is not trusted (%[2]v). If it comes from an authority of your own, name that authority's certificate with --hub-ca or in the setting followup.hubCertificates.",
		HubNotNow:         "There is no connection to the hub %[1]s at the moment. Nothing was sent; answer when the connection is back.",
		HubURL:            "%[1]q is no address of a hub; one looks like https://hub.example",
		HubInsecure:       "%[1]s is not encrypted, and everybody in between could read the token and the answers: use https, or allow it with --hub-insecure",
		HubTokenFile:      "The token cannot be read from %[1]s (%[2]v).",
		HubTokenOpen:      "Other users can read the token in %[1]s (its mode is %[2]s): take their rights away with chmod 600, and ask for another token if somebody may have read it.",
		HubTokenElsewhere: "The token in %[1]s is for another hub than %[2]s, and was not sent.",
		HubNoToken:        "There is no token for the hub, or it is none of a hub's. Connect to it again.",
		HubRoots:          "The certificates in %[1]s cannot be read (%[2]v).",
		HubNoPerson:       "The token is an agent's. To answer at the hub %[1]s, you need a person's.",
		HubNoAgent:        "The hub %[1]s does not take this from a person. To ask there, you need an agent's token (followup hub invite NAME --agent).",
		AgentHubAway:      "The hub that takes your questions cannot be reached at the moment, and it is not known whether the question is there yet. Call the tool again with the same arguments: it is asked once, and the answer is then given.",
		AskLeft:           "The hub cannot be reached, so the question was not taken back: it stays open there. Its id is %[1]s.",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		HubAway:           "Pas de connexion au hub %[1]s (%[2]s). Un nouvel essai suivra.",
		HubToken:          "Le hub %[1]s n'accepte pas le jeton : il y est inconnu ou a été révoqué. Demandez-en un autre à la personne qui gère le hub.",
		HubVersion:        "Le hub %[1]s est d'une autre version : %[2]s",
		HubNone:           "Il n'y a pas de hub Followup à l'adresse %[1]s (%[2]s).",
		HubCertificate:    "Le certificat de %[1]s n'est pas reconnu (%[2]v). S'il vient de votre propre autorité, indiquez le certificat de celle-ci avec --hub-ca ou dans le paramètre followup.hubCertificates.",
		HubNotNow:         "Il n'y a pas de connexion au hub %[1]s pour le moment. Rien n'a été envoyé ; répondez quand la connexion sera rétablie.",
		HubURL:            "%[1]q n'est pas l'adresse d'un hub ; elle ressemble à https://hub.example",
		HubInsecure:       "%[1]s n'est pas chiffré, et tout le monde sur le trajet pourrait lire le jeton et les réponses : utilisez https, ou acceptez-le avec --hub-insecure",
		HubTokenFile:      "Le jeton ne peut pas être lu dans %[1]s (%[2]v).",
		HubTokenOpen:      "D'autres utilisateurs peuvent lire le jeton dans %[1]s (ses droits sont %[2]s) : retirez-les avec chmod 600, et demandez un autre jeton si quelqu'un a pu le lire.",
		HubTokenElsewhere: "Le jeton dans %[1]s est destiné à un autre hub que %[2]s et n'a pas été envoyé.",
		HubNoToken:        "Il n'y a pas de jeton pour le hub, ou ce n'est pas celui d'un hub. Connectez-vous à nouveau.",
		HubRoots:          "Les certificats de %[1]s ne peuvent pas être lus (%[2]v).",
		HubNoPerson:       "Le jeton est celui d'un agent. Pour répondre au hub %[1]s, il faut celui d'une personne.",
		HubNoAgent:        "Le hub %[1]s n'accepte pas cela d'une personne. Pour y poser des questions, il faut le jeton d'un agent (followup hub invite NOM --agent).",
		AgentHubAway:      "Le hub qui prend vos questions n'est pas joignable pour le moment, et l'on ne sait pas encore si la question y est. Appelez de nouveau l'outil avec les mêmes arguments : elle n'est posée qu'une fois, et la réponse vous sera alors donnée.",
		AskLeft:           "Le hub n'est pas joignable : la question n'a pas été retirée et y reste ouverte. Son identifiant est %[1]s.",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		HubAway:           "与中心 %[1]s 没有连接（%[2]s），将会重试。",
		HubToken:          "中心 %[1]s 不接受该令牌：令牌未知或已被撤销。请向中心的管理者索取新令牌。",
		HubVersion:        "中心 %[1]s 的版本不同：%[2]s",
		HubNone:           "%[1]s 处没有 Followup 中心（%[2]s）。",
		HubCertificate:    "%[1]s 的证书不受信任（%[2]v）。如果它来自您自己的颁发机构，请用 --hub-ca 或设置 followup.hubCertificates 指定该机构的证书。",
		HubNotNow:         "目前与中心 %[1]s 没有连接。没有发送任何内容；请在连接恢复后回答。",
		HubURL:            "%[1]q 不是中心的地址；地址形如 https://hub.example",
		HubInsecure:       "%[1]s 未加密，途中的任何人都能读到令牌和回答：请使用 https，或用 --hub-insecure 允许",
		HubTokenFile:      "无法从 %[1]s 读取令牌（%[2]v）。",
		HubTokenOpen:      "其他用户可以读取 %[1]s 中的令牌（其权限为 %[2]s）：请用 chmod 600 收回权限；如果可能已被他人读取，请索取新令牌。",
		HubTokenElsewhere: "%[1]s 中的令牌不是给中心 %[2]s 的，没有发送。",
		HubNoToken:        "没有中心的令牌，或者这不是中心的令牌。请重新连接。",
		HubRoots:          "无法读取 %[1]s 中的证书（%[2]v）。",
		HubNoPerson:       "这是代理的令牌。要在中心 %[1]s 回答，需要个人的令牌。",
		HubNoAgent:        "中心 %[1]s 不接受个人进行此操作。要在那里提问，需要代理的令牌（followup hub invite 名称 --agent）。",
		AgentHubAway:      "接收您问题的中心目前无法连接，尚不清楚问题是否已送达。请用相同的参数再次调用该工具：问题只会提出一次，届时会给出回答。",
		AskLeft:           "无法连接到中心，问题未被撤回，仍在那里等待回答。其标识符为 %[1]s。",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		HubAway:           "Não há conexão com o hub %[1]s (%[2]s). Haverá nova tentativa.",
		HubToken:          "O hub %[1]s não aceita o token: ele é desconhecido ou foi revogado. Peça outro a quem administra o hub.",
		HubVersion:        "O hub %[1]s é de outra versão: %[2]s",
		HubNone:           "Não há um hub do Followup em %[1]s (%[2]s).",
		HubCertificate:    "O certificado de %[1]s não é confiável (%[2]v). Se ele vem de uma autoridade sua, indique o certificado dela com --hub-ca ou na configuração followup.hubCertificates.",
		HubNotNow:         "Não há conexão com o hub %[1]s no momento. Nada foi enviado; responda quando a conexão voltar.",
		HubURL:            "%[1]q não é o endereço de um hub; ele se parece com https://hub.example",
		HubInsecure:       "%[1]s não é criptografado, e qualquer um no caminho poderia ler o token e as respostas: use https, ou permita com --hub-insecure",
		HubTokenFile:      "O token não pode ser lido de %[1]s (%[2]v).",
		HubTokenOpen:      "Outros usuários podem ler o token em %[1]s (suas permissões são %[2]s): retire-as com chmod 600 e peça outro token se alguém puder tê-lo lido.",
		HubTokenElsewhere: "O token em %[1]s é de outro hub que não %[2]s e não foi enviado.",
		HubNoToken:        "Não há token para o hub, ou isso não é o token de um hub. Conecte-se de novo.",
		HubRoots:          "Os certificados em %[1]s não podem ser lidos (%[2]v).",
		HubNoPerson:       "O token é de um agente. Para responder no hub %[1]s, é preciso o de uma pessoa.",
		HubNoAgent:        "O hub %[1]s não aceita isso de uma pessoa. Para perguntar lá, é preciso o token de um agente (followup hub invite NOME --agent).",
		AgentHubAway:      "O hub que recebe suas perguntas não pode ser alcançado no momento, e ainda não se sabe se a pergunta está lá. Chame a ferramenta de novo com os mesmos argumentos: ela é feita uma só vez, e a resposta será dada então.",
		AskLeft:           "O hub não pode ser alcançado, então a pergunta não foi retirada: ela continua aberta lá. O id dela é %[1]s.",
	}
})
