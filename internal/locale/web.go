package locale

// Keys of what "followup web" prints.
const (
	WebOpen      Key = "web.open"
	WebEnd       Key = "web.end"
	WebNotSecure Key = "web.not_secure" // the address
)

var _ = register(English, Messages{
	WebOpen:      "Open this address in your browser. It can be used once.",
	WebEnd:       "Ctrl+C ends it.",
	WebNotSecure: "others can reach %[1]s: name a certificate with --tls-cert and --tls-key, or allow it without one by --insecure",
})

var _ = register(French, Messages{
	WebOpen:      "Ouvrez cette adresse dans votre navigateur. Elle ne sert qu'une fois.",
	WebEnd:       "Ctrl+C y met fin.",
	WebNotSecure: "d'autres peuvent atteindre %[1]s : indiquez un certificat avec --tls-cert et --tls-key, ou acceptez de vous en passer avec --insecure",
})

var _ = register(Chinese, Messages{
	WebOpen:      "请在浏览器中打开此地址。它只能使用一次。",
	WebEnd:       "按 Ctrl+C 结束。",
	WebNotSecure: "其他人可以访问 %[1]s：请用 --tls-cert 和 --tls-key 指定证书，或用 --insecure 允许不使用证书",
})

var _ = register(Portuguese, Messages{
	WebOpen:      "Abra este endereço no navegador. Ele só pode ser usado uma vez.",
	WebEnd:       "Ctrl+C encerra.",
	WebNotSecure: "outros podem alcançar %[1]s: indique um certificado com --tls-cert e --tls-key, ou permita sem ele com --insecure",
})
