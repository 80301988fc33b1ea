package locale

// Keys of what is said of an email before it is begun.
const (
	MailWrite   Key = "mail.write" // to whom
	MailButton  Key = "mail.button"
	MailField   Key = "mail.field" // name, value
	MailCc      Key = "mail.cc"
	MailBcc     Key = "mail.bcc"
	MailSubject Key = "mail.subject"
)

var _ = register(English, func() Messages {
	return Messages{
		MailWrite:   "Write an email to %[1]s?",
		MailButton:  "Write Email",
		MailField:   "%[1]s: %[2]s",
		MailCc:      "Cc",
		MailBcc:     "Bcc",
		MailSubject: "Subject",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		MailWrite:   "Écrire un e-mail à %[1]s ?",
		MailButton:  "Écrire l'e-mail",
		MailField:   "%[1]s : %[2]s",
		MailCc:      "Cc",
		MailBcc:     "Cci",
		MailSubject: "Objet",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		MailWrite:   "是否给 %[1]s 撰写电子邮件？",
		MailButton:  "撰写电子邮件",
		MailField:   "%[1]s：%[2]s",
		MailCc:      "抄送",
		MailBcc:     "密送",
		MailSubject: "主题",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		MailWrite:   "Escrever um e-mail para %[1]s?",
		MailButton:  "Escrever e-mail",
		MailField:   "%[1]s: %[2]s",
		MailCc:      "Cc",
		MailBcc:     "Cco",
		MailSubject: "Assunto",
	}
})
