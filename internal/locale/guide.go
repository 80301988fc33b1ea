package locale

// Keys of the guides that an editor shows.
const (
	GuideUndo             Key = "guide.undo"
	GuideOpen             Key = "guide.open"
	GuideOpenLog          Key = "guide.open_log"
	GuideShowFile         Key = "guide.show_file"
	GuideShowHistory      Key = "guide.show_history"
	GuideShowDetails      Key = "guide.show_details"
	GuideTryAgain         Key = "guide.try_again"
	GuideConnectTitle     Key = "guide.connect_title"
	GuideConnectHint      Key = "guide.connect_hint"
	GuideConnectApprovals Key = "guide.connect_approvals"
	GuideConnectMore      Key = "guide.connect_more"
	GuideConnectButton    Key = "guide.connect_button"
	GuideConnectFailed    Key = "guide.connect_failed" // reason
	GuideImportTitle      Key = "guide.import_title"
	GuideImportHint       Key = "guide.import_hint"
	GuideImportAllOf      Key = "guide.import_all_of" // tool
	GuideImportCounting   Key = "guide.import_counting"
	GuideImportNewOne     Key = "guide.import_new_one"
	GuideImportNew        Key = "guide.import_new" // count
	GuideImportFiles      Key = "guide.import_files"
	GuideImportFolders    Key = "guide.import_folders"
	GuideImportButton     Key = "guide.import_button"
	GuideImportLogs       Key = "guide.import_logs"
	GuideImportAny        Key = "guide.import_any"
	GuideImporting        Key = "guide.importing"
	GuideImportReadOf     Key = "guide.import_read_of" // megabytes read, all megabytes, questions
	GuideImportRead       Key = "guide.import_read"    // megabytes, questions
	GuideImportBusy       Key = "guide.import_busy"
	GuideImportCancelled  Key = "guide.import_cancelled"
	GuideImportFailed     Key = "guide.import_failed" // reason
	GuideExportTitle      Key = "guide.export_title"
	GuideExportWhat       Key = "guide.export_what"
	GuideExportShown      Key = "guide.export_shown"
	GuideExportAll        Key = "guide.export_all"
	GuideExportForm       Key = "guide.export_form"
	GuideExportMarkdown   Key = "guide.export_markdown"
	GuideExportJSON       Key = "guide.export_json"
	GuideExportButton     Key = "guide.export_button"
	GuideExporting        Key = "guide.exporting"
	GuideExportedOne      Key = "guide.exported_one"  // file
	GuideExported         Key = "guide.exported"      // count, file
	GuideExportFailed     Key = "guide.export_failed" // reason
	GuideHubAddress       Key = "guide.hub_address"
	GuideHubNoAddress     Key = "guide.hub_no_address"
	GuideHubToken         Key = "guide.hub_token"      // address
	GuideHubConnecting    Key = "guide.hub_connecting" // address
	GuideHubConnected     Key = "guide.hub_connected"  // hub, account
	GuideHubOff           Key = "guide.hub_off"
	GuideHubFailed        Key = "guide.hub_failed" // reason
	GuideSampleQuestion   Key = "guide.sample_question"
	GuideSampleChoose     Key = "guide.sample_choose"
	GuideSampleKey        Key = "guide.sample_key"
	GuideSampleEdit       Key = "guide.sample_edit"
	GuideSampleMode       Key = "guide.sample_mode"
	GuideSampleReceived   Key = "guide.sample_received" // what
	GuideBrowserFailed    Key = "guide.browser_failed"  // reason
)

var _ = register(English, func() Messages {
	return Messages{
		GuideUndo:             "Undo",
		GuideOpen:             "Open",
		GuideOpenLog:          "Open Log",
		GuideShowFile:         "Show File",
		GuideShowHistory:      "Show History",
		GuideShowDetails:      "Show Details",
		GuideTryAgain:         "Try Again",
		GuideConnectTitle:     "Connect Your Agents",
		GuideConnectHint:      "Agents that are checked ask in Followup; the others ask in their own way",
		GuideConnectApprovals: "Requests for permission, too",
		GuideConnectMore:      "Followup adds more than its own entry to the agents' settings. Connect them?",
		GuideConnectButton:    "Connect",
		GuideConnectFailed:    "The agents could not be connected: %[1]s",
		GuideImportTitle:      "Import Questions from a Log",
		GuideImportHint:       "Logs of other agents on this machine, or files and folders of yours",
		GuideImportAllOf:      "All of %[1]s",
		GuideImportCounting:   "counting…",
		GuideImportNewOne:     "1 new question",
		GuideImportNew:        "%[1]d new questions",
		GuideImportFiles:      "Choose files…",
		GuideImportFolders:    "Choose folders…",
		GuideImportButton:     "Import",
		GuideImportLogs:       "Logs",
		GuideImportAny:        "All files",
		GuideImporting:        "Importing questions",
		GuideImportReadOf:     "%[1]d MB of %[2]d MB read, questions found: %[3]d",
		GuideImportRead:       "%[1]d MB read, questions found: %[2]d",
		GuideImportBusy:       "An import is under way already.",
		GuideImportCancelled:  "The import was cancelled. What had been read until then is in the history.",
		GuideImportFailed:     "The log could not be imported: %[1]s",
		GuideExportTitle:      "Export History",
		GuideExportWhat:       "What is to be exported?",
		GuideExportShown:      "What the History tab shows",
		GuideExportAll:        "All of the history",
		GuideExportForm:       "In which form?",
		GuideExportMarkdown:   "to be read",
		GuideExportJSON:       "everything, with images, for other programs",
		GuideExportButton:     "Export",
		GuideExporting:        "Exporting history",
		GuideExportedOne:      "1 entry was exported to %[1]s.",
		GuideExported:         "%[1]d entries were exported to %[2]s.",
		GuideExportFailed:     "The history could not be exported: %[1]s",
		GuideHubAddress:       "The address of your team's hub; leave it empty to disconnect",
		GuideHubNoAddress:     "That is no address: https://hub.example",
		GuideHubToken:         "Your token for %[1]s, as “followup hub invite” has printed it. It is kept in the editor's secret storage.",
		GuideHubConnecting:    "Connecting to %[1]s…",
		GuideHubConnected:     "Connected to the hub %[1]s as %[2]s.",
		GuideHubOff:           "Disconnected from the hub.",
		GuideHubFailed:        "The hub could not be connected to: %[1]s",
		GuideSampleQuestion:   "Hello! This is how an agent asks you something. Which way of answering would you like to try?",
		GuideSampleChoose:     "Choose this one: it is sent exactly as it stands",
		GuideSampleKey:        "Press 2 on the keyboard to choose this one",
		GuideSampleEdit:       "Edit this one before it is sent",
		GuideSampleMode:       "Choose this one to switch the agent to another mode, too",
		GuideSampleReceived:   "An agent would now have received: %[1]s",
		GuideBrowserFailed:    "The browser could not be served: %[1]s",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		GuideUndo:             "Annuler",
		GuideOpen:             "Ouvrir",
		GuideOpenLog:          "Ouvrir le journal",
		GuideShowFile:         "Afficher le fichier",
		GuideShowHistory:      "Afficher l'historique",
		GuideShowDetails:      "Afficher les détails",
		GuideTryAgain:         "Réessayer",
		GuideConnectTitle:     "Connecter vos agents",
		GuideConnectHint:      "Les agents cochés posent leurs questions dans Followup ; les autres à leur façon",
		GuideConnectApprovals: "Aussi les demandes d'autorisation",
		GuideConnectMore:      "Followup ajoute plus que sa propre entrée aux réglages des agents. Les connecter ?",
		GuideConnectButton:    "Connecter",
		GuideConnectFailed:    "Les agents n'ont pas pu être connectés : %[1]s",
		GuideImportTitle:      "Importer des questions depuis un journal",
		GuideImportHint:       "Journaux d'autres agents sur cette machine, ou vos fichiers et dossiers",
		GuideImportAllOf:      "Tous les journaux de %[1]s",
		GuideImportCounting:   "comptage…",
		GuideImportNewOne:     "1 nouvelle question",
		GuideImportNew:        "%[1]d nouvelles questions",
		GuideImportFiles:      "Choisir des fichiers…",
		GuideImportFolders:    "Choisir des dossiers…",
		GuideImportButton:     "Importer",
		GuideImportLogs:       "Journaux",
		GuideImportAny:        "Tous les fichiers",
		GuideImporting:        "Importation des questions",
		GuideImportReadOf:     "%[1]d Mo sur %[2]d Mo lus, questions trouvées : %[3]d",
		GuideImportRead:       "%[1]d Mo lus, questions trouvées : %[2]d",
		GuideImportBusy:       "Une importation est déjà en cours.",
		GuideImportCancelled:  "L'importation a été annulée. Ce qui avait été lu jusque-là est dans l'historique.",
		GuideImportFailed:     "Impossible d'importer le journal : %[1]s",
		GuideExportTitle:      "Exporter l'historique",
		GuideExportWhat:       "Que faut-il exporter ?",
		GuideExportShown:      "Ce qu'affiche l'onglet Historique",
		GuideExportAll:        "Tout l'historique",
		GuideExportForm:       "Sous quelle forme ?",
		GuideExportMarkdown:   "pour être lu",
		GuideExportJSON:       "tout, avec les images, pour d'autres programmes",
		GuideExportButton:     "Exporter",
		GuideExporting:        "Exportation de l'historique",
		GuideExportedOne:      "1 entrée a été exportée vers %[1]s.",
		GuideExported:         "Entrées exportées vers %[2]s : %[1]d.",
		GuideExportFailed:     "Impossible d'exporter l'historique : %[1]s",
		GuideHubAddress:       "L'adresse du hub de votre équipe ; laissez vide pour vous déconnecter",
		GuideHubNoAddress:     "Ce n'est pas une adresse : https://hub.example",
		GuideHubToken:         "Votre jeton pour %[1]s, tel que « followup hub invite » l'a affiché. Il est gardé dans le stockage secret de l'éditeur.",
		GuideHubConnecting:    "Connexion à %[1]s…",
		GuideHubConnected:     "Connecté au hub %[1]s en tant que %[2]s.",
		GuideHubOff:           "Déconnecté du hub.",
		GuideHubFailed:        "La connexion au hub a échoué : %[1]s",
		GuideSampleQuestion:   "Bonjour ! Voici comment un agent vous pose une question. Quelle façon de répondre voulez-vous essayer ?",
		GuideSampleChoose:     "Choisissez celle-ci : elle est envoyée telle quelle",
		GuideSampleKey:        "Appuyez sur 2 au clavier pour choisir celle-ci",
		GuideSampleEdit:       "Modifiez celle-ci avant son envoi",
		GuideSampleMode:       "Choisissez celle-ci pour faire aussi passer l'agent dans un autre mode",
		GuideSampleReceived:   "Un agent aurait maintenant reçu : %[1]s",
		GuideBrowserFailed:    "Le navigateur n'a pas pu être servi : %[1]s",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		GuideUndo:             "撤消",
		GuideOpen:             "打开",
		GuideOpenLog:          "打开日志",
		GuideShowFile:         "显示文件",
		GuideShowHistory:      "显示历史记录",
		GuideShowDetails:      "显示详细信息",
		GuideTryAgain:         "重试",
		GuideConnectTitle:     "连接您的智能体",
		GuideConnectHint:      "勾选的智能体在 Followup 中提问；其他的以自己的方式提问",
		GuideConnectApprovals: "也包括权限请求",
		GuideConnectMore:      "Followup 会在智能体的设置中添加自身条目以外的内容。要连接它们吗？",
		GuideConnectButton:    "连接",
		GuideConnectFailed:    "无法连接智能体：%[1]s",
		GuideImportTitle:      "从日志导入问题",
		GuideImportHint:       "本机上其他代理的日志，或您自己的文件和文件夹",
		GuideImportAllOf:      "%[1]s 的所有日志",
		GuideImportCounting:   "正在计数…",
		GuideImportNewOne:     "1 个新问题",
		GuideImportNew:        "%[1]d 个新问题",
		GuideImportFiles:      "选择文件…",
		GuideImportFolders:    "选择文件夹…",
		GuideImportButton:     "导入",
		GuideImportLogs:       "日志",
		GuideImportAny:        "所有文件",
		GuideImporting:        "正在导入问题",
		GuideImportReadOf:     "已读取 %[1]d MB/%[2]d MB，找到的问题：%[3]d",
		GuideImportRead:       "已读取 %[1]d MB，找到的问题：%[2]d",
		GuideImportBusy:       "已有导入正在进行。",
		GuideImportCancelled:  "导入已取消。此前已读取的内容在历史记录中。",
		GuideImportFailed:     "无法导入日志：%[1]s",
		GuideExportTitle:      "导出历史记录",
		GuideExportWhat:       "要导出什么？",
		GuideExportShown:      "“历史记录”标签页中显示的内容",
		GuideExportAll:        "所有历史记录",
		GuideExportForm:       "以何种格式？",
		GuideExportMarkdown:   "便于阅读",
		GuideExportJSON:       "全部内容，包括图片，供其他程序使用",
		GuideExportButton:     "导出",
		GuideExporting:        "正在导出历史记录",
		GuideExportedOne:      "已将 1 个条目导出到 %[1]s。",
		GuideExported:         "已将 %[1]d 个条目导出到 %[2]s。",
		GuideExportFailed:     "无法导出历史记录：%[1]s",
		GuideHubAddress:       "您团队中心的地址；留空则断开连接",
		GuideHubNoAddress:     "这不是地址：https://hub.example",
		GuideHubToken:         "您在 %[1]s 的令牌，即“followup hub invite”所输出的令牌。它保存在编辑器的机密存储中。",
		GuideHubConnecting:    "正在连接 %[1]s…",
		GuideHubConnected:     "已以 %[2]s 的身份连接到中心 %[1]s。",
		GuideHubOff:           "已与中心断开连接。",
		GuideHubFailed:        "无法连接到中心：%[1]s",
		GuideSampleQuestion:   "您好！智能体就是这样向您提问的。您想试试哪种回答方式？",
		GuideSampleChoose:     "选择此项：它会原样发送",
		GuideSampleKey:        "按键盘上的 2 选择此项",
		GuideSampleEdit:       "在发送之前编辑此项",
		GuideSampleMode:       "选择此项会同时将智能体切换到另一种模式",
		GuideSampleReceived:   "智能体此时会收到：%[1]s",
		GuideBrowserFailed:    "无法为浏览器提供服务：%[1]s",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		GuideUndo:             "Desfazer",
		GuideOpen:             "Abrir",
		GuideOpenLog:          "Abrir Log",
		GuideShowFile:         "Mostrar arquivo",
		GuideShowHistory:      "Mostrar Histórico",
		GuideShowDetails:      "Mostrar Detalhes",
		GuideTryAgain:         "Tentar Novamente",
		GuideConnectTitle:     "Conectar seus agentes",
		GuideConnectHint:      "Os agentes marcados perguntam no Followup; os demais, do jeito deles",
		GuideConnectApprovals: "Também os pedidos de permissão",
		GuideConnectMore:      "O Followup adiciona mais do que a própria entrada às configurações dos agentes. Conectá-los?",
		GuideConnectButton:    "Conectar",
		GuideConnectFailed:    "Não foi possível conectar os agentes: %[1]s",
		GuideImportTitle:      "Importar Perguntas de um Log",
		GuideImportHint:       "Registros de outros agentes nesta máquina, ou arquivos e pastas seus",
		GuideImportAllOf:      "Todos os logs do %[1]s",
		GuideImportCounting:   "contando…",
		GuideImportNewOne:     "1 pergunta nova",
		GuideImportNew:        "%[1]d perguntas novas",
		GuideImportFiles:      "Escolher arquivos…",
		GuideImportFolders:    "Escolher pastas…",
		GuideImportButton:     "Importar",
		GuideImportLogs:       "Logs",
		GuideImportAny:        "Todos os arquivos",
		GuideImporting:        "Importando perguntas",
		GuideImportReadOf:     "%[1]d MB de %[2]d MB lidos, perguntas encontradas: %[3]d",
		GuideImportRead:       "%[1]d MB lidos, perguntas encontradas: %[2]d",
		GuideImportBusy:       "Já há uma importação em andamento.",
		GuideImportCancelled:  "A importação foi cancelada. O que foi lido até então está no histórico.",
		GuideImportFailed:     "Não foi possível importar o log: %[1]s",
		GuideExportTitle:      "Exportar Histórico",
		GuideExportWhat:       "O que deve ser exportado?",
		GuideExportShown:      "O que a guia Histórico mostra",
		GuideExportAll:        "Todo o histórico",
		GuideExportForm:       "Em que formato?",
		GuideExportMarkdown:   "para ser lido",
		GuideExportJSON:       "tudo, com imagens, para outros programas",
		GuideExportButton:     "Exportar",
		GuideExporting:        "Exportando o histórico",
		GuideExportedOne:      "1 entrada foi exportada para %[1]s.",
		GuideExported:         "Entradas exportadas para %[2]s: %[1]d.",
		GuideExportFailed:     "Não foi possível exportar o histórico: %[1]s",
		GuideHubAddress:       "O endereço do hub da sua equipe; deixe vazio para desconectar",
		GuideHubNoAddress:     "Isso não é um endereço: https://hub.example",
		GuideHubToken:         "Seu token para %[1]s, como “followup hub invite” o mostrou. Ele é guardado no armazenamento secreto do editor.",
		GuideHubConnecting:    "Conectando a %[1]s…",
		GuideHubConnected:     "Conectado ao hub %[1]s como %[2]s.",
		GuideHubOff:           "Desconectado do hub.",
		GuideHubFailed:        "Não foi possível conectar ao hub: %[1]s",
		GuideSampleQuestion:   "Olá! É assim que um agente pergunta algo a você. Que forma de responder você gostaria de experimentar?",
		GuideSampleChoose:     "Escolha esta: ela é enviada exatamente como está",
		GuideSampleKey:        "Pressione 2 no teclado para escolher esta",
		GuideSampleEdit:       "Edite esta antes de enviá-la",
		GuideSampleMode:       "Escolha esta para também mudar o agente para outro modo",
		GuideSampleReceived:   "Um agente teria recebido agora: %[1]s",
		GuideBrowserFailed:    "Não foi possível atender o navegador: %[1]s",
	}
})
