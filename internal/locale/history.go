package locale

// Keys of the history as people read it.
const (
	HistoryTitle           Key = "history.title"
	HistoryAnswered        Key = "history.answered"
	HistoryAnsweredByTimer Key = "history.answered_by_timer"
	HistoryDismissed       Key = "history.dismissed"
	HistoryReplied         Key = "history.replied"
	HistoryWithdrawn       Key = "history.withdrawn"
	HistoryElsewhere       Key = "history.elsewhere"
	HistoryBy              Key = "history.by" // how it ended, who did that
	HistoryNotShown        Key = "history.not_shown"
	HistoryInvalidCall     Key = "history.invalid_call"
	HistoryInvalid         Key = "history.invalid" // the error's words
	HistoryNote            Key = "history.note"
	HistoryContext         Key = "history.context"
	HistoryQuestion        Key = "history.question"
	HistoryImage           Key = "history.image"          // its number
	HistoryTooLong         Key = "history.too_long"       // how many MiB are allowed
	HistoryPathNotAbsolute Key = "history.path"           // the path
	HistoryNotWritten      Key = "history.not_written"    // the path, the cause
	HistoryUndoLapsed      Key = "history.undo_lapsed"    //
	HistoryUnknownFormat   Key = "history.unknown_format" // the format
	HistoryUnknownKey      Key = "history.unknown_key"    // the key
	HistoryNothingNamed    Key = "history.nothing_named"  //
	HistoryNotAvailable    Key = "history.not_available"  // why
	HistoryUnknownEntry    Key = "history.unknown_entry"  //
	HistoryBadRetention    Key = "history.bad_retention"  //
)

// Keys of why nothing is kept on disk, told to the user.
const (
	StorageAbsent      Key = "storage.absent"
	StorageUnavailable Key = "storage.unavailable" // the cause
	StorageSlow        Key = "storage.slow"
	StorageHub         Key = "storage.hub"
	StorageGone        Key = "storage.gone"
	KeeperHangs        Key = "keeper.hangs"
	KeeperOther        Key = "keeper.other"
	KeeperAway         Key = "keeper.away"
	StorageUnread      Key = "storage.unread" // the cause
	StorageNewer       Key = "storage.newer"
	StorageDamaged     Key = "storage.damaged"
	StorageSetAside    Key = "storage.set_aside" // where the damaged file is now
	StorageOddRow      Key = "storage.odd_row"   // the question's id, and what is wrong
)

// Keys of what an agent is told of a question that the user has not answered yet.
const (
	TicketWaiting Key = "ticket.waiting" // the question's id
	TicketUnknown Key = "ticket.unknown" // the id that was named
)

var _ = register(English, func() Messages {
	return Messages{
		HistoryTitle:           "Questions and answers",
		HistoryAnswered:        "Answered",
		HistoryAnsweredByTimer: "Answered by a timer",
		HistoryDismissed:       "Dismissed",
		HistoryReplied:         "Replied instead of answering",
		HistoryWithdrawn:       "Withdrawn by the agent",
		HistoryBy:              "%[1]s, by %[2]s",
		HistoryElsewhere:       "Seen to in the agent's own dialog",
		HistoryNotShown:        "Seen by nobody",
		HistoryInvalidCall:     "Not a question",
		HistoryInvalid:         "The call could not be read: %[1]s",
		HistoryNote:            "Note:",
		HistoryContext:         "Before the question:",
		HistoryQuestion:        "Question:",
		HistoryImage:           "Image %[1]d",
		HistoryTooLong:         "This is more than %[1]d MiB of text. Export it to a file instead.",
		HistoryPathNotAbsolute: "The path must be absolute: %[1]s",
		HistoryNotWritten:      "The file %[1]s could not be written: %[2]s",
		HistoryUndoLapsed:      "It is too late to undo this: the entries have been removed for good.",
		HistoryUnknownFormat:   "There is no export format %[1]q; there are markdown and json.",
		HistoryUnknownKey:      "There is no page %[1]q of the history.",
		HistoryNothingNamed:    "Nothing was named to delete.",
		HistoryNotAvailable:    "The history cannot be read: %[1]s",
		HistoryUnknownEntry:    "This entry is not in the history any more.",
		HistoryBadRetention:    "The number of days must not be negative.",
		StorageAbsent:          "No storage folder was given, so nothing is kept on disk.",
		StorageUnavailable:     "Questions and answers are not being saved: %[1]s. They work, but are lost when the window is closed. Free some space or make the storage folder writable.",
		StorageHub:             "The hub cannot save at the moment. What is asked and answered waits, and appears once it is saved.",
		StorageSlow:            "Questions and answers are not saved yet: the disk, or another program that uses the storage, has not answered for some time. They work, and are saved when it does.",
		KeeperHangs:            "The process that keeps the questions does not answer. Nothing is lost or decided meanwhile. To restart it, run: followup keeper restart",
		KeeperOther:            "The questions are kept by another version of Followup (%s), which this one cannot talk to. Reload the window, or restart the agent.",
		KeeperAway:             "The process that keeps the questions cannot be reached: %v",
		StorageGone:            "Questions and answers are not being saved: the storage folder was removed, moved or replaced while it was in use. They work, and are saved when a new storage has been begun.",
		StorageUnread:          "This could not be looked up in the storage: %[1]s. Nothing was changed; try again.",
		StorageNewer:           "Questions and answers are not being saved: the storage was written by a newer version of Followup. Update Followup in this window.",
		StorageDamaged:         "Questions and answers are not being saved: the storage is damaged, and another window is using it. Close the other windows and reload this one.",
		StorageSetAside:        "Followup could not use its store: it was damaged, or an earlier build made it. The file was kept as %[1]s, and a new store was started.",
		StorageOddRow:          "A question (%[1]s) or its draft could not be read from the store: %[2]s. Everything else works; the row stays in the store.",
		TicketWaiting:          "The user has not answered yet, and has not declined either. The question stays open. To collect the answer later, call this tool again with {\"await\": \"%[1]s\"} as its whole input.",
		TicketUnknown:          "There is no question %[1]q that you have asked. Its answer cannot be collected; ask the question again if you still need to know.",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		HistoryTitle:           "Questions et réponses",
		HistoryAnswered:        "Répondu",
		HistoryAnsweredByTimer: "Répondu par un minuteur",
		HistoryDismissed:       "Refusé",
		HistoryReplied:         "Message au lieu d'une réponse",
		HistoryWithdrawn:       "Retirée par l'agent",
		HistoryBy:              "%[1]s, par %[2]s",
		HistoryElsewhere:       "Réglée dans la boîte de dialogue de l'agent",
		HistoryNotShown:        "Vue par personne",
		HistoryInvalidCall:     "Pas une question",
		HistoryInvalid:         "L'appel était illisible : %[1]s",
		HistoryNote:            "Note :",
		HistoryContext:         "Avant la question :",
		HistoryQuestion:        "Question :",
		HistoryImage:           "Image %[1]d",
		HistoryTooLong:         "Le texte dépasse %[1]d Mio. Exportez-le plutôt dans un fichier.",
		HistoryPathNotAbsolute: "Le chemin doit être absolu : %[1]s",
		HistoryNotWritten:      "Le fichier %[1]s n'a pas pu être écrit : %[2]s",
		HistoryUndoLapsed:      "Il est trop tard pour annuler : les entrées ont été supprimées définitivement.",
		HistoryUnknownFormat:   "Il n'y a pas de format d'export %[1]q ; il y a markdown et json.",
		HistoryUnknownKey:      "L'historique n'a pas de page %[1]q.",
		HistoryNothingNamed:    "Rien n'a été désigné pour être supprimé.",
		HistoryNotAvailable:    "L'historique ne peut pas être lu : %[1]s",
		HistoryUnknownEntry:    "Cette entrée n'est plus dans l'historique.",
		HistoryBadRetention:    "Le nombre de jours ne doit pas être négatif.",
		StorageAbsent:          "Aucun dossier de stockage n'a été donné : rien n'est conservé sur le disque.",
		StorageUnavailable:     "Les questions et les réponses ne sont pas enregistrées : %[1]s. Elles fonctionnent, mais seront perdues à la fermeture de la fenêtre. Libérez de l'espace ou rendez le dossier de stockage accessible en écriture.",
		StorageHub:             "Le hub ne peut pas enregistrer pour le moment. Les questions et les réponses attendent, et apparaîtront une fois enregistrées.",
		StorageSlow:            "Les questions et les réponses ne sont pas encore enregistrées : le disque, ou un autre programme qui utilise le stockage, ne répond pas depuis un moment. Elles fonctionnent, et seront enregistrées dès qu'il répondra.",
		KeeperHangs:            "Le processus qui conserve les questions ne répond pas. Rien n'est perdu ni décidé entre-temps. Pour le redémarrer, exécutez : followup keeper restart",
		KeeperOther:            "Les questions sont conservées par une autre version de Followup (%s), avec laquelle celle-ci ne peut pas communiquer. Rechargez la fenêtre, ou redémarrez l'agent.",
		KeeperAway:             "Le processus qui conserve les questions est inaccessible : %v",
		StorageGone:            "Les questions et les réponses ne sont pas enregistrées : le dossier de stockage a été supprimé, déplacé ou remplacé pendant son utilisation. Elles fonctionnent, et seront enregistrées dès qu'un nouveau stockage aura été commencé.",
		StorageUnread:          "La recherche dans le stockage a échoué : %[1]s. Rien n'a été modifié ; réessayez.",
		StorageNewer:           "Les questions et les réponses ne sont pas enregistrées : le stockage a été écrit par une version plus récente de Followup. Mettez Followup à jour dans cette fenêtre.",
		StorageDamaged:         "Les questions et les réponses ne sont pas enregistrées : le stockage est endommagé et une autre fenêtre l'utilise. Fermez les autres fenêtres et rechargez celle-ci.",
		StorageSetAside:        "Followup n’a pas pu utiliser son stockage : il était endommagé, ou créé par une version antérieure. Le fichier a été conservé sous %[1]s et un nouveau stockage a été créé.",
		StorageOddRow:          "Une question (%[1]s) ou son brouillon n’a pas pu être lu dans le stockage : %[2]s. Tout le reste fonctionne ; la ligne reste dans le stockage.",
		TicketWaiting:          "L'utilisateur n'a pas encore répondu, et il n'a pas refusé non plus. La question reste ouverte. Pour obtenir la réponse plus tard, appelez à nouveau cet outil avec {\"await\": \"%[1]s\"} comme seule entrée.",
		TicketUnknown:          "Il n'y a pas de question %[1]q que vous ayez posée. Sa réponse ne peut pas être obtenue ; posez à nouveau la question si vous avez encore besoin de savoir.",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		HistoryTitle:           "问题与回答",
		HistoryAnswered:        "已回答",
		HistoryAnsweredByTimer: "由计时器回答",
		HistoryDismissed:       "已拒绝回答",
		HistoryReplied:         "未作答，改为回复",
		HistoryWithdrawn:       "已被智能体撤回",
		HistoryBy:              "%[1]s，由 %[2]s",
		HistoryElsewhere:       "已在智能体自己的对话框中处理",
		HistoryNotShown:        "无人看到",
		HistoryInvalidCall:     "不是问题",
		HistoryInvalid:         "该调用无法读取：%[1]s",
		HistoryNote:            "备注：",
		HistoryContext:         "提问之前：",
		HistoryQuestion:        "问题：",
		HistoryImage:           "图片 %[1]d",
		HistoryTooLong:         "文本超过 %[1]d MiB。请改为导出到文件。",
		HistoryPathNotAbsolute: "路径必须是绝对路径：%[1]s",
		HistoryNotWritten:      "无法写入文件 %[1]s：%[2]s",
		HistoryUndoLapsed:      "已无法撤销：这些条目已被永久删除。",
		HistoryUnknownFormat:   "没有导出格式 %[1]q；可用的格式有 markdown 和 json。",
		HistoryUnknownKey:      "历史记录中没有页面 %[1]q。",
		HistoryNothingNamed:    "未指定要删除的内容。",
		HistoryNotAvailable:    "无法读取历史记录：%[1]s",
		HistoryUnknownEntry:    "该条目已不在历史记录中。",
		HistoryBadRetention:    "天数不能为负数。",
		StorageAbsent:          "未指定存储文件夹，因此不会在磁盘上保存任何内容。",
		StorageUnavailable:     "问题和回答未被保存：%[1]s。它们仍可使用，但关闭窗口后会丢失。请释放空间，或使存储文件夹可写。",
		StorageHub:             "中心目前无法保存。问题和回答会等待，保存后才会显示。",
		StorageSlow:            "问题和回答尚未保存：磁盘或正在使用存储的其他程序已有一段时间没有响应。它们仍可使用，待其响应后即会保存。",
		KeeperHangs:            "保存问题的进程没有响应。在此期间不会丢失或决定任何内容。要重新启动它，请运行：followup keeper restart",
		KeeperOther:            "问题由另一个版本的 Followup（%s）保存，当前版本无法与其通信。请重新加载窗口，或重启智能体。",
		KeeperAway:             "无法连接保存问题的进程：%v",
		StorageGone:            "问题和回答未被保存：存储文件夹在使用期间被删除、移动或替换。它们仍可使用，待新存储建立后即会保存。",
		StorageUnread:          "无法在存储中查找：%[1]s。没有任何更改；请重试。",
		StorageNewer:           "问题和回答未被保存：存储由更新版本的 Followup 写入。请在此窗口中更新 Followup。",
		StorageDamaged:         "问题和回答未被保存：存储已损坏，且另一个窗口正在使用它。请关闭其他窗口并重新加载此窗口。",
		StorageSetAside:        "Followup 无法使用其存储：它已损坏，或由更早的版本创建。原文件已保留为 %[1]s，并已新建存储。",
		StorageOddRow:          "无法从存储中读取一个问题（%[1]s）或其草稿：%[2]s。其他一切正常；该行仍保留在存储中。",
		TicketWaiting:          "用户尚未回答，也没有拒绝。该问题仍然开放。之后要获取回答，请再次调用此工具，并以 {\"await\": \"%[1]s\"} 作为全部输入。",
		TicketUnknown:          "没有您提出过的问题 %[1]q，无法获取其回答；如果仍需要知道，请重新提问。",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		HistoryTitle:           "Perguntas e respostas",
		HistoryAnswered:        "Respondida",
		HistoryAnsweredByTimer: "Respondida por um temporizador",
		HistoryDismissed:       "Recusada",
		HistoryReplied:         "Mensagem em vez de resposta",
		HistoryWithdrawn:       "Retirada pelo agente",
		HistoryBy:              "%[1]s, por %[2]s",
		HistoryElsewhere:       "Resolvida na própria caixa de diálogo do agente",
		HistoryNotShown:        "Ninguém viu",
		HistoryInvalidCall:     "Não é uma pergunta",
		HistoryInvalid:         "A chamada não pôde ser lida: %[1]s",
		HistoryNote:            "Nota:",
		HistoryContext:         "Antes da pergunta:",
		HistoryQuestion:        "Pergunta:",
		HistoryImage:           "Imagem %[1]d",
		HistoryTooLong:         "O texto passa de %[1]d MiB. Exporte-o para um arquivo.",
		HistoryPathNotAbsolute: "O caminho deve ser absoluto: %[1]s",
		HistoryNotWritten:      "O arquivo %[1]s não pôde ser gravado: %[2]s",
		HistoryUndoLapsed:      "É tarde demais para desfazer: as entradas foram removidas definitivamente.",
		HistoryUnknownFormat:   "Não há formato de exportação %[1]q; há markdown e json.",
		HistoryUnknownKey:      "O histórico não tem a página %[1]q.",
		HistoryNothingNamed:    "Nada foi indicado para excluir.",
		HistoryNotAvailable:    "O histórico não pode ser lido: %[1]s",
		HistoryUnknownEntry:    "Esta entrada não está mais no histórico.",
		HistoryBadRetention:    "O número de dias não pode ser negativo.",
		StorageAbsent:          "Nenhuma pasta de armazenamento foi informada, então nada é guardado no disco.",
		StorageUnavailable:     "As perguntas e respostas não estão sendo salvas: %[1]s. Elas funcionam, mas se perdem quando a janela é fechada. Libere espaço ou permita a gravação na pasta de armazenamento.",
		StorageHub:             "O hub não consegue salvar no momento. As perguntas e respostas aguardam e aparecem assim que forem salvas.",
		StorageSlow:            "As perguntas e respostas ainda não foram salvas: o disco, ou outro programa que usa o armazenamento, não responde há algum tempo. Elas funcionam e serão salvas quando ele responder.",
		KeeperHangs:            "O processo que guarda as perguntas não responde. Nada se perde nem é decidido enquanto isso. Para reiniciá-lo, execute: followup keeper restart",
		KeeperOther:            "As perguntas são guardadas por outra versão do Followup (%s), com a qual esta não consegue se comunicar. Recarregue a janela ou reinicie o agente.",
		KeeperAway:             "Não é possível acessar o processo que guarda as perguntas: %v",
		StorageGone:            "As perguntas e respostas não estão sendo salvas: a pasta de armazenamento foi removida, movida ou substituída durante o uso. Elas funcionam e serão salvas quando um novo armazenamento for iniciado.",
		StorageUnread:          "Não foi possível consultar o armazenamento: %[1]s. Nada foi alterado; tente novamente.",
		StorageNewer:           "As perguntas e respostas não estão sendo salvas: o armazenamento foi gravado por uma versão mais nova do Followup. Atualize o Followup nesta janela.",
		StorageDamaged:         "As perguntas e respostas não estão sendo salvas: o armazenamento está danificado e outra janela o está usando. Feche as outras janelas e recarregue esta.",
		StorageSetAside:        "O Followup não conseguiu usar seu armazenamento: ele estava danificado ou foi criado por uma versão anterior. O arquivo foi guardado como %[1]s e um novo armazenamento foi iniciado.",
		StorageOddRow:          "Uma pergunta (%[1]s) ou seu rascunho não pôde ser lido do armazenamento: %[2]s. Todo o resto funciona; a linha permanece no armazenamento.",
		TicketWaiting:          "O usuário ainda não respondeu, e também não recusou. A pergunta continua aberta. Para obter a resposta mais tarde, chame esta ferramenta novamente com {\"await\": \"%[1]s\"} como toda a entrada.",
		TicketUnknown:          "Não há nenhuma pergunta %[1]q que você tenha feito. A resposta não pode ser obtida; faça a pergunta novamente se ainda precisar saber.",
	}
})
