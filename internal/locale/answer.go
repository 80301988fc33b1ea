package locale

// Keys of the inbox in a terminal.
const (
	AnswerNoTerminal Key = "answer.no_terminal"
	AnswerOpen       Key = "answer.open" // how many
	AnswerWaiting    Key = "answer.waiting"
	AnswerStreaming  Key = "answer.streaming"
	AnswerOwnWords   Key = "answer.own_words"
	AnswerMode       Key = "answer.mode" // the mode
	AnswerImages     Key = "answer.images"
	AnswerQuotes     Key = "answer.quotes" // their labels
	AnswerTo         Key = "answer.to"     // the person
	AnswerAlong      Key = "answer.along"
	AnswerReview     Key = "answer.review"
	AnswerSubmit     Key = "answer.submit"
	AnswerReply      Key = "answer.reply"
	AnswerLeftOut    Key = "answer.left_out"
	AnswerStep       Key = "answer.step"      // which, of how many
	AnswerSent       Key = "answer.sent"      //
	AnswerElsewhere  Key = "answer.elsewhere" // what was said
	AnswerNotSent    Key = "answer.not_sent"  //
	AnswerDismiss    Key = "answer.dismiss"   //
	AnswerDismissed  Key = "answer.dismissed" //
	AnswerEmpty      Key = "answer.empty"     //
	AnswerUnsaved    Key = "answer.unsaved"   // the problem

	KeyMove    Key = "key.move"
	KeyOpen    Key = "key.open"
	KeyQuit    Key = "key.quit"
	KeyChoose  Key = "key.choose"
	KeyToggle  Key = "key.toggle"
	KeyEdit    Key = "key.edit"
	KeyWords   Key = "key.words"
	KeyNext    Key = "key.next"
	KeyDismiss Key = "key.dismiss"
	KeyBack    Key = "key.back"
	KeySend    Key = "key.send"
	KeyNewline Key = "key.newline"
	KeyReply   Key = "key.reply"
	KeyContext Key = "key.context"

	PlainPrompt   Key = "plain.prompt"
	PlainPicks    Key = "plain.picks"
	PlainHelp     Key = "plain.help"
	PlainNoNumber Key = "plain.no_number" // the least and the greatest
	PlainConfirm  Key = "plain.confirm"
	PlainBegun    Key = "plain.begun"
	PlainPress    Key = "plain.press"
)

var _ = register(English, func() Messages {
	return Messages{
		AnswerNoTerminal: "standard input and output must be a terminal; followup inbox --json lists what is open",
		AnswerOpen:       "Open questions: %[1]d",
		AnswerWaiting:    "No question is open. What agents ask appears here.",
		AnswerStreaming:  "is still arriving",
		AnswerOwnWords:   "Your own words",
		AnswerMode:       "mode: %[1]s",
		AnswerImages:     "Images that go along: %[1]d",
		AnswerQuotes:     "Added from the editor: %[1]s",
		AnswerAlong:      "A suggestion is sent with your words.",
		AnswerTo:         "for %[1]s",
		AnswerReview:     "Review",
		AnswerSubmit:     "Submit",
		AnswerReply:      "Reply instead of answering",
		AnswerLeftOut:    "left out",
		AnswerStep:       "Question %[1]d of %[2]d",
		AnswerSent:       "Sent.",
		AnswerElsewhere:  "It was closed elsewhere: %[1]s",
		AnswerNotSent:    "Your words, which were not sent:",
		AnswerDismiss:    "Dismiss the question? y: yes, any other key: no",
		AnswerDismissed:  "Dismissed.",
		AnswerEmpty:      "The answer is empty.",
		AnswerUnsaved:    "Nothing can be saved at the moment. %[1]s",
		KeyMove:          "move", KeyOpen: "open", KeyQuit: "quit", KeyChoose: "choose", KeyToggle: "pick", KeyEdit: "edit", KeyWords: "own words",
		KeyNext: "next", KeyDismiss: "dismiss", KeyBack: "back", KeySend: "send", KeyNewline: "new line", KeyReply: "reply", KeyContext: "context",
		PlainPrompt:   "Number, own words, or ?: ",
		PlainPicks:    "Numbers with commas, own words, or ?; empty leaves it out: ",
		PlainHelp:     "A number chooses. Anything else is your answer; begin it with = where it would be taken for a number or a command.\n/more: several lines, ended by a line with a single dot. /begun: send what you have begun elsewhere. /reply WORDS: write to the agent instead of answering.\n/dismiss: decline to answer. /next: another question. /quit: leave.",
		PlainNoNumber: "There are the numbers %[1]d to %[2]d.",
		PlainConfirm:  "Submit? y/n: ",
		PlainBegun:    "Begun elsewhere:",
		PlainPress:    "Press Enter to go on.",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		AnswerNoTerminal: "l'entrée et la sortie standard doivent être un terminal ; followup inbox --json liste ce qui est ouvert",
		AnswerOpen:       "Questions ouvertes : %[1]d",
		AnswerWaiting:    "Aucune question n'est ouverte. Ce que demandent les agents apparaît ici.",
		AnswerStreaming:  "est en train d'arriver",
		AnswerOwnWords:   "Vos propres mots",
		AnswerMode:       "mode : %[1]s",
		AnswerImages:     "Images jointes : %[1]d",
		AnswerQuotes:     "Ajouté depuis l'éditeur : %[1]s",
		AnswerAlong:      "Une suggestion est envoyée avec vos mots.",
		AnswerTo:         "pour %[1]s",
		AnswerReview:     "Vérification",
		AnswerSubmit:     "Envoyer",
		AnswerReply:      "Écrire au lieu de répondre",
		AnswerLeftOut:    "sans réponse",
		AnswerStep:       "Question %[1]d sur %[2]d",
		AnswerSent:       "Envoyé.",
		AnswerElsewhere:  "Elle a été fermée ailleurs : %[1]s",
		AnswerNotSent:    "Vos mots, qui n'ont pas été envoyés :",
		AnswerDismiss:    "Écarter la question ? y : oui, toute autre touche : non",
		AnswerDismissed:  "Écartée.",
		AnswerEmpty:      "La réponse est vide.",
		AnswerUnsaved:    "Rien ne peut être enregistré pour le moment. %[1]s",
		KeyMove:          "aller", KeyOpen: "ouvrir", KeyQuit: "quitter", KeyChoose: "choisir", KeyToggle: "cocher", KeyEdit: "modifier", KeyWords: "vos mots",
		KeyNext: "suivante", KeyDismiss: "écarter", KeyBack: "retour", KeySend: "envoyer", KeyNewline: "à la ligne", KeyReply: "écrire", KeyContext: "contexte",
		PlainPrompt:   "Numéro, vos propres mots, ou ? : ",
		PlainPicks:    "Numéros séparés par des virgules, vos propres mots, ou ? ; vide : sans réponse : ",
		PlainHelp:     "Un numéro choisit. Tout le reste est votre réponse ; commencez-la par = si elle pourrait passer pour un numéro ou une commande.\n/more : plusieurs lignes, terminées par une ligne avec un seul point. /begun : envoyer ce que vous avez commencé ailleurs. /reply MOTS : écrire à l'agent au lieu de répondre.\n/dismiss : refuser de répondre. /next : une autre question. /quit : quitter.",
		PlainNoNumber: "Les numéros vont de %[1]d à %[2]d.",
		PlainConfirm:  "Envoyer ? y/n : ",
		PlainBegun:    "Commencé ailleurs :",
		PlainPress:    "Appuyez sur Entrée pour continuer.",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		AnswerNoTerminal: "标准输入和输出必须是终端；followup inbox --json 会列出待回答的问题",
		AnswerOpen:       "待回答的问题：%[1]d",
		AnswerWaiting:    "没有待回答的问题。智能体提出的问题会显示在这里。",
		AnswerStreaming:  "仍在接收中",
		AnswerOwnWords:   "您自己的话",
		AnswerMode:       "模式：%[1]s",
		AnswerImages:     "随附图片：%[1]d 张",
		AnswerQuotes:     "从编辑器添加：%[1]s",
		AnswerAlong:      "选择建议时，您的话会一并发送。",
		AnswerTo:         "发给 %[1]s",
		AnswerReview:     "检查",
		AnswerSubmit:     "提交",
		AnswerReply:      "改为写一段话",
		AnswerLeftOut:    "未回答",
		AnswerStep:       "第 %[1]d 个问题，共 %[2]d 个",
		AnswerSent:       "已发送。",
		AnswerElsewhere:  "该问题已在别处结束：%[1]s",
		AnswerNotSent:    "您写下但未发送的话：",
		AnswerDismiss:    "不回答该问题？y：是，其他任意键：否",
		AnswerDismissed:  "未予回答。",
		AnswerEmpty:      "回答为空。",
		AnswerUnsaved:    "目前无法保存任何内容。%[1]s",
		KeyMove:          "移动", KeyOpen: "打开", KeyQuit: "退出", KeyChoose: "选择", KeyToggle: "勾选", KeyEdit: "编辑", KeyWords: "自己的话",
		KeyNext: "下一个", KeyDismiss: "不回答", KeyBack: "返回", KeySend: "发送", KeyNewline: "换行", KeyReply: "回复", KeyContext: "上下文",
		PlainPrompt:   "编号、您自己的话，或 ?：",
		PlainPicks:    "用逗号分隔的编号、您自己的话，或 ?；留空则不回答：",
		PlainHelp:     "输入编号即可选择。其他内容都是您的回答；如果它会被当作编号或命令，请以 = 开头。\n/more：多行输入，以只有一个句点的行结束。/begun：发送您在别处写下的内容。/reply 内容：不回答问题，而是给智能体写一段话。\n/dismiss：不回答。/next：另一个问题。/quit：退出。",
		PlainNoNumber: "编号为 %[1]d 到 %[2]d。",
		PlainConfirm:  "提交？y/n：",
		PlainBegun:    "在别处写下的内容：",
		PlainPress:    "按回车键继续。",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		AnswerNoTerminal: "a entrada e a saída padrão devem ser um terminal; followup inbox --json lista o que está aberto",
		AnswerOpen:       "Perguntas abertas: %[1]d",
		AnswerWaiting:    "Nenhuma pergunta está aberta. O que os agentes perguntam aparece aqui.",
		AnswerStreaming:  "ainda está chegando",
		AnswerOwnWords:   "Suas próprias palavras",
		AnswerMode:       "modo: %[1]s",
		AnswerImages:     "Imagens que vão junto: %[1]d",
		AnswerQuotes:     "Adicionado do editor: %[1]s",
		AnswerAlong:      "Uma sugestão é enviada com suas palavras.",
		AnswerTo:         "para %[1]s",
		AnswerReview:     "Revisão",
		AnswerSubmit:     "Enviar",
		AnswerReply:      "Escrever em vez de responder",
		AnswerLeftOut:    "sem resposta",
		AnswerStep:       "Pergunta %[1]d de %[2]d",
		AnswerSent:       "Enviado.",
		AnswerElsewhere:  "Ela foi encerrada em outro lugar: %[1]s",
		AnswerNotSent:    "Suas palavras, que não foram enviadas:",
		AnswerDismiss:    "Dispensar a pergunta? y: sim, qualquer outra tecla: não",
		AnswerDismissed:  "Dispensada.",
		AnswerEmpty:      "A resposta está vazia.",
		AnswerUnsaved:    "Nada pode ser salvo no momento. %[1]s",
		KeyMove:          "mover", KeyOpen: "abrir", KeyQuit: "sair", KeyChoose: "escolher", KeyToggle: "marcar", KeyEdit: "editar", KeyWords: "suas palavras",
		KeyNext: "próxima", KeyDismiss: "dispensar", KeyBack: "voltar", KeySend: "enviar", KeyNewline: "nova linha", KeyReply: "escrever", KeyContext: "contexto",
		PlainPrompt:   "Número, suas próprias palavras, ou ?: ",
		PlainPicks:    "Números separados por vírgulas, suas próprias palavras, ou ?; vazio: sem resposta: ",
		PlainHelp:     "Um número escolhe. Todo o resto é a sua resposta; comece-a com = se ela puder ser tomada por um número ou um comando.\n/more: várias linhas, terminadas por uma linha com um único ponto. /begun: enviar o que você começou em outro lugar. /reply PALAVRAS: escrever ao agente em vez de responder.\n/dismiss: não responder. /next: outra pergunta. /quit: sair.",
		PlainNoNumber: "Há os números de %[1]d a %[2]d.",
		PlainConfirm:  "Enviar? y/n: ",
		PlainBegun:    "Começado em outro lugar:",
		PlainPress:    "Pressione Enter para continuar.",
	}
})
