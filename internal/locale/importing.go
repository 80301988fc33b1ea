package locale

// Keys of what is wrong with a log that is imported.
const (
	ImportTruncated     Key = "import.truncated"
	ImportMalformed     Key = "import.malformed"
	ImportTooLarge      Key = "import.too_large"
	ImportUnreadable    Key = "import.unreadable"
	ImportUnknownFormat Key = "import.unknown_format"
	ImportNoPaths       Key = "import.no_paths"
	ImportFailed        Key = "import.failed" // the cause
)

var _ = register(English, Messages{
	ImportTruncated:     "it ends in the middle",
	ImportMalformed:     "it is not JSON",
	ImportTooLarge:      "it holds a call or an answer that is too large",
	ImportUnreadable:    "it cannot be read",
	ImportUnknownFormat: "No log of a known kind was found. Followup reads transcripts of Claude Code, request logs of cc-viewer, and task folders of Roo, Kilo Code and Cline.",
	ImportNoPaths:       "No file or folder was named to import.",
	ImportFailed:        "The import ended early: %[1]s",
})

var _ = register(French, Messages{
	ImportTruncated:     "elle s'arrête au milieu",
	ImportMalformed:     "ce n'est pas du JSON",
	ImportTooLarge:      "elle contient un appel ou une réponse trop volumineux",
	ImportUnreadable:    "elle est illisible",
	ImportUnknownFormat: "Aucun journal d'un type connu n'a été trouvé. Followup lit les transcriptions de Claude Code, les journaux de requêtes de cc-viewer et les dossiers de tâches de Roo, Kilo Code et Cline.",
	ImportNoPaths:       "Aucun fichier ni dossier à importer n'a été désigné.",
	ImportFailed:        "L'importation s'est arrêtée avant la fin : %[1]s",
})

var _ = register(Chinese, Messages{
	ImportTruncated:     "内容中途结束",
	ImportMalformed:     "不是 JSON",
	ImportTooLarge:      "含有过大的调用或回答",
	ImportUnreadable:    "无法读取",
	ImportUnknownFormat: "未找到已知类型的日志。Followup 可读取 Claude Code 的会话记录、cc-viewer 的请求日志，以及 Roo、Kilo Code 和 Cline 的任务文件夹。",
	ImportNoPaths:       "未指定要导入的文件或文件夹。",
	ImportFailed:        "导入提前结束：%[1]s",
})

var _ = register(Portuguese, Messages{
	ImportTruncated:     "termina no meio",
	ImportMalformed:     "não é JSON",
	ImportTooLarge:      "contém uma chamada ou resposta grande demais",
	ImportUnreadable:    "não pode ser lida",
	ImportUnknownFormat: "Nenhum registro de tipo conhecido foi encontrado. O Followup lê transcrições do Claude Code, registros de requisições do cc-viewer e pastas de tarefas do Roo, Kilo Code e Cline.",
	ImportNoPaths:       "Nenhum arquivo ou pasta foi indicado para importar.",
	ImportFailed:        "A importação terminou antes do fim: %[1]s",
})
