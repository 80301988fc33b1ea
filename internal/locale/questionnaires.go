package locale

// Keys of what the agent is told of the answers to a questionnaire. No words here hold a straight quotation mark: viewers of
// logs look for pairs of them.
const (
	QuestionnaireAnswered     Key = "questionnaire.answered"      // stands above the answers
	QuestionnaireTimed        Key = "questionnaire.timed"         // in its place, where a timer chose
	QuestionnaireUnanswered   Key = "questionnaire.unanswered"    // in its place, where there is none
	QuestionnaireReplied      Key = "questionnaire.replied"       // stands above the user's words
	QuestionnaireRepliedPicks Key = "questionnaire.replied_picks" // stands above the answers so far and the user's words
	QuestionnaireSkipped      Key = "questionnaire.skipped"       // question
	QuestionnairePreview      Key = "questionnaire.preview"       // label
	QuestionnaireNote         Key = "questionnaire.note"          // the user's words
)

// Keys of why an answer to a questionnaire is refused, told to the user. The question stays as it was.
const (
	RefusedNoSuchQuestion  Key = "refused.no_such_question"
	RefusedNoSuchOption    Key = "refused.no_such_option"
	RefusedRepeatedOption  Key = "refused.repeated_option"
	RefusedTooManyOptions  Key = "refused.too_many_options"
	RefusedNoQuestionnaire Key = "refused.no_questionnaire"
)

var _ = register(English, func() Messages {
	return Messages{
		QuestionnaireAnswered:     "The user has answered:",
		QuestionnaireTimed:        "The user did not answer in the time that they have set for it, so the first option was taken for them:",
		QuestionnaireUnanswered:   "The user has answered none of the questions.",
		QuestionnaireReplied:      "Instead of answering the questions, the user wrote back about them.",
		QuestionnaireRepliedPicks: "Instead of answering all of the questions, the user wrote back about them. What was chosen until then:",
		QuestionnaireSkipped:      "Left unanswered: “%[1]s”",
		QuestionnairePreview:      "Preview of “%[1]s”:",
		QuestionnaireNote:         "The user's note: %[1]s",
		RefusedNoSuchQuestion:     "The answer is for more questions than were asked.",
		RefusedNoSuchOption:       "A question has no such option.",
		RefusedRepeatedOption:     "An option was chosen twice.",
		RefusedTooManyOptions:     "Only one answer can be chosen for this question.",
		RefusedNoQuestionnaire:    "There is nothing to reply to: answer this question.",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		QuestionnaireAnswered:     "L'utilisateur a répondu :",
		QuestionnaireTimed:        "L'utilisateur n'a pas répondu dans le délai qu'il a fixé ; la première option a donc été retenue pour lui :",
		QuestionnaireUnanswered:   "L'utilisateur n'a répondu à aucune des questions.",
		QuestionnaireReplied:      "Au lieu de répondre aux questions, l'utilisateur a écrit à leur sujet.",
		QuestionnaireRepliedPicks: "Au lieu de répondre à toutes les questions, l'utilisateur a écrit à leur sujet. Ce qu'il avait choisi jusque-là :",
		QuestionnaireSkipped:      "Restée sans réponse : « %[1]s »",
		QuestionnairePreview:      "Aperçu de « %[1]s » :",
		QuestionnaireNote:         "Remarque de l'utilisateur : %[1]s",
		RefusedNoSuchQuestion:     "La réponse porte sur plus de questions qu'il n'en a été posé.",
		RefusedNoSuchOption:       "Une question n'a pas de telle option.",
		RefusedRepeatedOption:     "Une option a été choisie deux fois.",
		RefusedTooManyOptions:     "Une seule réponse peut être choisie pour cette question.",
		RefusedNoQuestionnaire:    "Il n'y a pas de quoi écrire au sujet de cette question : répondez-y.",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		QuestionnaireAnswered:     "用户的回答：",
		QuestionnaireTimed:        "用户没有在其设定的时间内回答，因此替其选择了第一个选项：",
		QuestionnaireUnanswered:   "用户没有回答任何问题。",
		QuestionnaireReplied:      "用户没有回答这些问题，而是就这些问题写了一段话。",
		QuestionnaireRepliedPicks: "用户没有回答完这些问题，而是就这些问题写了一段话。此前已作出的选择：",
		QuestionnaireSkipped:      "未作答：“%[1]s”",
		QuestionnairePreview:      "“%[1]s”的预览：",
		QuestionnaireNote:         "用户的备注：%[1]s",
		RefusedNoSuchQuestion:     "回答的数量超过了问题的数量。",
		RefusedNoSuchOption:       "某个问题没有这个选项。",
		RefusedRepeatedOption:     "同一个选项被选择了两次。",
		RefusedTooManyOptions:     "该问题只能选择一个答案。",
		RefusedNoQuestionnaire:    "该问题不能以留言代替回答：请直接回答。",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		QuestionnaireAnswered:     "O usuário respondeu:",
		QuestionnaireTimed:        "O usuário não respondeu no tempo que definiu, então a primeira opção foi escolhida por ele:",
		QuestionnaireUnanswered:   "O usuário não respondeu a nenhuma das perguntas.",
		QuestionnaireReplied:      "Em vez de responder às perguntas, o usuário escreveu sobre elas.",
		QuestionnaireRepliedPicks: "Em vez de responder a todas as perguntas, o usuário escreveu sobre elas. O que foi escolhido até então:",
		QuestionnaireSkipped:      "Ficou sem resposta: “%[1]s”",
		QuestionnairePreview:      "Prévia de “%[1]s”:",
		QuestionnaireNote:         "Observação do usuário: %[1]s",
		RefusedNoSuchQuestion:     "A resposta é para mais perguntas do que foram feitas.",
		RefusedNoSuchOption:       "Uma pergunta não tem essa opção.",
		RefusedRepeatedOption:     "Uma opção foi escolhida duas vezes.",
		RefusedTooManyOptions:     "Apenas uma resposta pode ser escolhida para esta pergunta.",
		RefusedNoQuestionnaire:    "Não há o que comentar nesta pergunta: responda a ela.",
	}
})
