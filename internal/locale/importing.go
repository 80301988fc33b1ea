package locale

// Keys of what is wrong with a log that is imported.
const (
	ImportTruncated     Key = "import.truncated"
	ImportMalformed     Key = "import.malformed"
	ImportTooLarge      Key = "import.too_large"
	ImportUnreadable    Key = "import.unreadable"
	ImportUnknown       Key = "import.unknown"
	ImportIrregular     Key = "import.irregular"
	ImportLocked        Key = "import.locked"
	ImportNewer         Key = "import.newer"
	ImportBroken        Key = "import.broken"
	ImportPacked        Key = "import.packed"
	ImportUnpacked      Key = "import.unpacked"
	ImportUnknownFormat Key = "import.unknown_format"
	ImportNoPaths       Key = "import.no_paths"
	ImportFailed        Key = "import.failed" // the cause
)

// Keys of what an import brought; each but those of one has a number.
const (
	ImportAddedOne   Key = "import.added.one"
	ImportAdded      Key = "import.added"
	ImportKnown      Key = "import.known"
	ImportUnanswered Key = "import.unanswered"
	ImportSkippedOne Key = "import.skipped.one"
	ImportSkipped    Key = "import.skipped"
	ImportDamagedOne Key = "import.damaged.one"
	ImportDamaged    Key = "import.damaged"
)

var _ = register(English, func() Messages {
	return Messages{
		ImportTruncated:     "it ends in the middle",
		ImportMalformed:     "it is not JSON",
		ImportTooLarge:      "it holds a call or an answer that is too large",
		ImportUnreadable:    "it cannot be read",
		ImportUnknown:       "it is no log of a known kind",
		ImportIrregular:     "it is no regular file",
		ImportLocked:        "another program keeps it locked",
		ImportNewer:         "it was written by a newer version",
		ImportBroken:        "it is damaged, or not an SQLite database",
		ImportPacked:        "the compressed file is damaged or cut off; what could be read of it was imported",
		ImportUnpacked:      "the compressed file holds more than 1 GiB, or needs more than 8 MiB of memory; decompress it with zstd and import that",
		ImportUnknownFormat: "No log of a known kind was found. Followup reads those of Claude Code, cc-viewer, Codex, Gemini CLI, Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob, Cline, Copilot CLI, and the chats of VS Code.",
		ImportNoPaths:       "No file or folder was named to import.",
		ImportFailed:        "The import ended early: %[1]s",
		ImportAddedOne:      "1 question was added to the history",
		ImportAdded:         "%[1]d questions were added to the history",
		ImportKnown:         "%[1]d known already",
		ImportUnanswered:    "%[1]d without an answer",
		ImportSkippedOne:    "1 file that could not be read",
		ImportSkipped:       "%[1]d files that could not be read",
		ImportDamagedOne:    "1 damaged line",
		ImportDamaged:       "%[1]d damaged lines",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		ImportTruncated:     "elle s'arrête au milieu",
		ImportMalformed:     "ce n'est pas du JSON",
		ImportTooLarge:      "elle contient un appel ou une réponse trop volumineux",
		ImportUnreadable:    "elle est illisible",
		ImportUnknown:       "ce n'est pas un journal d'un type connu",
		ImportIrregular:     "ce n'est pas un fichier ordinaire",
		ImportLocked:        "un autre programme le tient verrouillé",
		ImportNewer:         "il a été écrit par une version plus récente",
		ImportBroken:        "il est endommagé, ou ce n’est pas une base SQLite",
		ImportPacked:        "le fichier compressé est endommagé ou tronqué ; ce qui a pu en être lu a été importé",
		ImportUnpacked:      "le fichier compressé contient plus de 1 Gio, ou demande plus de 8 Mio de mémoire ; décompressez-le avec zstd et importez le résultat",
		ImportUnknownFormat: "Aucun journal d'un type connu n'a été trouvé. Followup lit ceux de Claude Code, cc-viewer, Codex, Gemini CLI, Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob, Cline, Copilot CLI, et les conversations de VS Code.",
		ImportNoPaths:       "Aucun fichier ni dossier à importer n'a été désigné.",
		ImportFailed:        "L'importation s'est arrêtée avant la fin : %[1]s",
		ImportAddedOne:      "1 question a été ajoutée à l'historique",
		ImportAdded:         "Questions ajoutées à l'historique : %[1]d",
		ImportKnown:         "déjà connues : %[1]d",
		ImportUnanswered:    "sans réponse : %[1]d",
		ImportSkippedOne:    "1 fichier qui n'a pas pu être lu",
		ImportSkipped:       "%[1]d fichiers qui n'ont pas pu être lus",
		ImportDamagedOne:    "1 ligne endommagée",
		ImportDamaged:       "%[1]d lignes endommagées",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		ImportTruncated:     "内容中途结束",
		ImportMalformed:     "不是 JSON",
		ImportTooLarge:      "含有过大的调用或回答",
		ImportUnreadable:    "无法读取",
		ImportUnknown:       "不是已知类型的日志",
		ImportIrregular:     "不是普通文件",
		ImportLocked:        "被其他程序锁定",
		ImportNewer:         "由更新的版本写入",
		ImportBroken:        "文件已损坏，或不是 SQLite 数据库",
		ImportPacked:        "压缩文件已损坏或不完整；其中能读取的内容已导入",
		ImportUnpacked:      "压缩文件的内容超过 1 GiB，或需要超过 8 MiB 的内存；请用 zstd 解压后再导入",
		ImportUnknownFormat: "未找到已知类型的日志。Followup 可读取 Claude Code、cc-viewer、Codex、Gemini CLI、Qwen Code、opencode、Kilo Code、Roo Code、Zoo Code、IBM Bob、Cline、Copilot CLI 的日志，以及 VS Code 的聊天记录。",
		ImportNoPaths:       "未指定要导入的文件或文件夹。",
		ImportFailed:        "导入提前结束：%[1]s",
		ImportAddedOne:      "已将 1 个问题添加到历史记录",
		ImportAdded:         "已将 %[1]d 个问题添加到历史记录",
		ImportKnown:         "%[1]d 个已存在",
		ImportUnanswered:    "%[1]d 个没有回答",
		ImportSkippedOne:    "1 个文件无法读取",
		ImportSkipped:       "%[1]d 个文件无法读取",
		ImportDamagedOne:    "1 行已损坏",
		ImportDamaged:       "%[1]d 行已损坏",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		ImportTruncated:     "termina no meio",
		ImportMalformed:     "não é JSON",
		ImportTooLarge:      "contém uma chamada ou resposta grande demais",
		ImportUnreadable:    "não pode ser lida",
		ImportUnknown:       "não é um registro de tipo conhecido",
		ImportIrregular:     "não é um arquivo comum",
		ImportLocked:        "outro programa o mantém bloqueado",
		ImportNewer:         "foi escrito por uma versão mais recente",
		ImportBroken:        "está danificado ou não é um banco de dados SQLite",
		ImportPacked:        "o arquivo compactado está danificado ou incompleto; o que pôde ser lido dele foi importado",
		ImportUnpacked:      "o arquivo compactado contém mais de 1 GiB ou precisa de mais de 8 MiB de memória; descompacte-o com zstd e importe o resultado",
		ImportUnknownFormat: "Nenhum registro de tipo conhecido foi encontrado. O Followup lê os de Claude Code, cc-viewer, Codex, Gemini CLI, Qwen Code, opencode, Kilo Code, Roo Code, Zoo Code, IBM Bob, Cline, Copilot CLI e os chats do VS Code.",
		ImportNoPaths:       "Nenhum arquivo ou pasta foi indicado para importar.",
		ImportFailed:        "A importação terminou antes do fim: %[1]s",
		ImportAddedOne:      "1 pergunta foi adicionada ao histórico",
		ImportAdded:         "Perguntas adicionadas ao histórico: %[1]d",
		ImportKnown:         "já conhecidas: %[1]d",
		ImportUnanswered:    "sem resposta: %[1]d",
		ImportSkippedOne:    "1 arquivo que não pôde ser lido",
		ImportSkipped:       "%[1]d arquivos que não puderam ser lidos",
		ImportDamagedOne:    "1 linha danificada",
		ImportDamaged:       "%[1]d linhas danificadas",
	}
})
