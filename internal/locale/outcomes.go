package locale

// Keys of what the agent is told of a question that has no answer. None of them may be mistaken for the user's words.
const (
	OutcomeDismissed Key = "outcome.dismissed"
	OutcomeNotShown  Key = "outcome.not_shown"
	OutcomeWithdrawn Key = "outcome.withdrawn"
)

// GuidanceQuestion asks the user to help an agent: its name, and the number of its invalid calls in a row.
const GuidanceQuestion Key = "guidance.question"

// Keys of why an answer is refused, told to the user. The question stays as it was.
const (
	RefusedNotPending       Key = "refused.not_pending"
	RefusedEmptyAnswer      Key = "refused.empty_answer"
	RefusedInvalidText      Key = "refused.invalid_text"
	RefusedTextTooLong      Key = "refused.text_too_long" // how many MiB are allowed
	RefusedNoSuchSuggestion Key = "refused.no_such_suggestion"
	RefusedTooManyImages    Key = "refused.too_many_images" // how many are allowed
	RefusedTooManyQuotes    Key = "refused.too_many_quotes" // how many are allowed
	Quoted                  Key = "answer.quoted"
	RefusedImageTooLarge    Key = "refused.image_too_large" // how many MiB are allowed
	RefusedImageType        Key = "refused.image_type"
)

var _ = register(English, func() Messages {
	return Messages{
		GuidanceQuestion:        "%[1]s tried to ask you something, but its last %[2]d calls could not be read. What should it do?",
		OutcomeDismissed:        "The user saw the question and declined to answer it.",
		OutcomeNotShown:         "Nobody saw the question: no view was open that could show it. The user has not declined; the question may be asked again later.",
		OutcomeWithdrawn:        "The question was withdrawn before anyone answered it.",
		RefusedNotPending:       "This question cannot be answered yet: it is still arriving, or another one comes first.",
		RefusedEmptyAnswer:      "The answer is empty. Write something or add an image.",
		RefusedInvalidText:      "The answer holds characters that cannot be sent.",
		RefusedTextTooLong:      "The answer is too long: its text can have %[1]d MiB.",
		RefusedNoSuchSuggestion: "The question has no such suggestion.",
		RefusedTooManyImages:    "Too many images: an answer can hold %[1]d.",
		RefusedTooManyQuotes:    "Too many places and quotes: an answer can hold %[1]d.",
		Quoted:                  "The user added this from the editor:",
		RefusedImageTooLarge:    "An image is too large: each can have %[1]d MiB.",
		RefusedImageType:        "An image cannot be sent: it must be PNG, JPEG, GIF or WebP.",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		GuidanceQuestion:        "%[1]s a essayé de vous poser une question, mais ses %[2]d derniers appels étaient illisibles. Que doit-il faire ?",
		OutcomeDismissed:        "L'utilisateur a vu la question et a choisi de ne pas y répondre.",
		OutcomeNotShown:         "Personne n'a vu la question : aucune vue ouverte ne pouvait l'afficher. L'utilisateur n'a pas refusé ; la question peut être posée à nouveau plus tard.",
		OutcomeWithdrawn:        "La question a été retirée avant que quelqu'un n'y réponde.",
		RefusedNotPending:       "Cette question ne peut pas encore recevoir de réponse : elle est en train d'arriver, ou une autre passe avant.",
		RefusedEmptyAnswer:      "La réponse est vide. Écrivez quelque chose ou ajoutez une image.",
		RefusedInvalidText:      "La réponse contient des caractères qui ne peuvent pas être envoyés.",
		RefusedTextTooLong:      "La réponse est trop longue : son texte peut avoir %[1]d Mio.",
		RefusedNoSuchSuggestion: "La question n'a pas de telle suggestion.",
		RefusedTooManyImages:    "Trop d'images : une réponse peut en contenir %[1]d.",
		RefusedTooManyQuotes:    "Trop d'emplacements et de citations : une réponse peut en contenir %[1]d.",
		Quoted:                  "L'utilisateur a ajouté ceci depuis l'éditeur :",
		RefusedImageTooLarge:    "Une image est trop grande : chacune peut avoir %[1]d Mio.",
		RefusedImageType:        "Une image ne peut pas être envoyée : elle doit être au format PNG, JPEG, GIF ou WebP.",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		GuidanceQuestion:        "%[1]s 试图向您提问，但它最近的 %[2]d 次调用都无法读取。它应该怎么做？",
		OutcomeDismissed:        "用户看到了该问题，但选择不回答。",
		OutcomeNotShown:         "没有人看到该问题：没有打开可以显示它的视图。用户并未拒绝回答；可以稍后再次提问。",
		OutcomeWithdrawn:        "该问题在有人回答之前已被撤回。",
		RefusedNotPending:       "该问题暂时无法回答：它仍在接收中，或者前面还有其他问题。",
		RefusedEmptyAnswer:      "回答为空。请输入内容或添加图片。",
		RefusedInvalidText:      "回答中含有无法发送的字符。",
		RefusedTextTooLong:      "回答过长：文本最多 %[1]d MiB。",
		RefusedNoSuchSuggestion: "该问题没有这个建议。",
		RefusedTooManyImages:    "图片过多：一个回答最多可包含 %[1]d 张。",
		RefusedTooManyQuotes:    "位置和引用过多：一个回答最多可包含 %[1]d 个。",
		Quoted:                  "用户从编辑器中添加了以下内容：",
		RefusedImageTooLarge:    "图片过大：每张最多 %[1]d MiB。",
		RefusedImageType:        "图片无法发送：必须是 PNG、JPEG、GIF 或 WebP。",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		GuidanceQuestion:        "%[1]s tentou perguntar algo a você, mas suas últimas %[2]d chamadas não puderam ser lidas. O que deve fazer?",
		OutcomeDismissed:        "O usuário viu a pergunta e preferiu não responder.",
		OutcomeNotShown:         "Ninguém viu a pergunta: nenhuma visualização aberta podia mostrá-la. O usuário não recusou; a pergunta pode ser feita novamente mais tarde.",
		OutcomeWithdrawn:        "A pergunta foi retirada antes que alguém respondesse.",
		RefusedNotPending:       "Esta pergunta ainda não pode ser respondida: ela está chegando, ou outra vem antes.",
		RefusedEmptyAnswer:      "A resposta está vazia. Escreva algo ou adicione uma imagem.",
		RefusedInvalidText:      "A resposta contém caracteres que não podem ser enviados.",
		RefusedTextTooLong:      "A resposta é longa demais: o texto pode ter %[1]d MiB.",
		RefusedNoSuchSuggestion: "A pergunta não tem essa sugestão.",
		RefusedTooManyImages:    "Imagens demais: uma resposta pode conter %[1]d.",
		RefusedTooManyQuotes:    "Locais e citações demais: uma resposta pode conter %[1]d.",
		Quoted:                  "O usuário adicionou isto a partir do editor:",
		RefusedImageTooLarge:    "Uma imagem é grande demais: cada uma pode ter %[1]d MiB.",
		RefusedImageType:        "Uma imagem não pode ser enviada: ela deve ser PNG, JPEG, GIF ou WebP.",
	}
})
