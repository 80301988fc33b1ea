package locale

// Keys of what "followup connect", "disconnect" and "doctor" say.
const (
	ConnectNone      Key = "connect.state.none"
	ConnectPartly    Key = "connect.state.partly"
	ConnectConnected Key = "connect.state.connected"
	ConnectForeign   Key = "connect.state.foreign"
	ConnectBroken    Key = "connect.state.broken"
	ConnectNotFound  Key = "connect.state.not_found"
	ConnectHint      Key = "connect.hint"

	ConnectDone     Key = "connect.done"      // agent
	ConnectSame     Key = "connect.same"      // agent
	ConnectBack     Key = "connect.back"      // agent
	ConnectNotThere Key = "connect.not_there" // agent
	ConnectPreview  Key = "connect.preview"   // agent
	ConnectCreated  Key = "connect.created"   // file
	ConnectChanged  Key = "connect.changed"   // file
	ConnectRemoved  Key = "connect.removed"   // file
	ConnectRestored Key = "connect.restored"  // file
	ConnectBackup   Key = "connect.backup"    // file
	ConnectRestart  Key = "connect.restart"   // agent
	ConnectTrust    Key = "connect.trust"     // agent
	ConnectAbsent   Key = "connect.absent"    // agent
	ConnectNewer    Key = "connect.newer"     // program, its version, this version

	ConnectAlso          Key = "connect.also" // agent, setting, file, value, why
	ConnectForHook       Key = "connect.for.hook"
	ConnectForApprovals  Key = "connect.for.approvals"
	ConnectForAllow      Key = "connect.for.allow"
	ConnectForForeground Key = "connect.for.foreground"
	ConnectForHooks      Key = "connect.for.hooks"

	ConnectSyntax    Key = "connect.error.syntax"    // file, line, reason
	ConnectShape     Key = "connect.error.shape"     // file, place
	ConnectTaken     Key = "connect.error.taken"     // file, place
	ConnectMeanwhile Key = "connect.error.meanwhile" // file
	ConnectReadOnly  Key = "connect.error.read_only" // file
	ConnectNoFile    Key = "connect.error.no_file"   // file
	ConnectFailed    Key = "connect.error.failed"    // file, reason
	ConnectNobody    Key = "connect.error.nobody"

	DoctorKept       Key = "doctor.kept"        // folder
	DoctorNotKept    Key = "doctor.not_kept"    // folder, reason
	DoctorShown      Key = "doctor.shown"       //
	DoctorNotShown   Key = "doctor.not_shown"   //
	DoctorPush       Key = "doctor.push"        // the browser
	DoctorPushed     Key = "doctor.pushed"      // the browser, the time
	DoctorPushFailed Key = "doctor.push_failed" // the browser, the time, the problem
	DoctorProgram    Key = "doctor.program"     // program, version
	DoctorOlder      Key = "doctor.older"       // program, its version, this version
	DoctorNotRun     Key = "doctor.not_run"     // program, reason
	DoctorNoAgent    Key = "doctor.no_agent"
	DoctorTools      Key = "doctor.tools"     // agent
	DoctorNoTools    Key = "doctor.no_tools"  // agent, reason
	DoctorHook       Key = "doctor.hook"      // agent
	DoctorNoHook     Key = "doctor.no_hook"   // agent, reason
	DoctorOff        Key = "doctor.off"       // agent, setting, file, value
	DoctorUntrusted  Key = "doctor.untrusted" // agent
	DoctorPlugin     Key = "doctor.plugin"    // agent
	DoctorNoPlugin   Key = "doctor.no_plugin" // agent, file
	DoctorConnect    Key = "doctor.connect"   // agent, state, its name on the command line
	DoctorSlow       Key = "doctor.slow"      // seconds
	DoctorLockedBy   Key = "doctor.locked_by" // folder, program, its process id

	DoctorLimit       Key = "doctor.limit"       // agent, setting, file, limit, a day in the setting's unit
	DoctorBackground  Key = "doctor.background"  // agent, setting, file, limit
	DoctorDenied      Key = "doctor.denied"      // agent, setting, file, what it has
	DoctorNotAllowed  Key = "doctor.not_allowed" // agent, setting, file, what it lacks
	DoctorEnvironment Key = "doctor.environment"
)

var _ = register(English, func() Messages {
	return Messages{
		ConnectNone:      "not connected",
		ConnectPartly:    "has to be connected again",
		ConnectConnected: "connected",
		ConnectForeign:   "has another entry of this name",
		ConnectBroken:    "its configuration cannot be read",
		ConnectNotFound:  "not found on this machine",
		ConnectHint:      "To connect one: followup connect AGENT. To connect all that were found: followup connect --all. --dry-run only shows what would change.",

		ConnectDone:     "%[1]s is connected.",
		ConnectSame:     "%[1]s was connected already; nothing was changed.",
		ConnectBack:     "%[1]s is no longer connected.",
		ConnectNotThere: "%[1]s was not connected; nothing was changed.",
		ConnectPreview:  "%[1]s: this would change.",
		ConnectCreated:  "made: %[1]s",
		ConnectChanged:  "changed: %[1]s",
		ConnectRemoved:  "removed: %[1]s",
		ConnectRestored: "as it was before: %[1]s",
		ConnectBackup:   "kept as it was: %[1]s",
		ConnectRestart:  "Where %[1]s runs already, start it again.",
		ConnectTrust:    "%[1]s skips hooks until you trust them: start it once and choose to trust Followup's.",
		ConnectAbsent:   "%[1]s was not found on this machine. It will be connected once it is installed.",
		ConnectNewer:    "%[1]s is version %[2]s, newer than this one (%[3]s), and was kept.",

		ConnectAlso:          "%[1]s: also sets %[2]s in %[3]s: %[4]s (%[5]s)",
		ConnectForHook:       "so that the agent's own questions appear in your inbox",
		ConnectForApprovals:  "so that the agent's own questions and its requests for permission appear in your inbox",
		ConnectForAllow:      "so that the agent can use Followup's tools without asking",
		ConnectForForeground: "so that the agent waits for your answer longer than two minutes",
		ConnectForHooks:      "turns on all hooks in this file",

		ConnectSyntax:    "%[1]s cannot be read: line %[2]d: %[3]s. It was left as it is. Mend it, then try again.",
		ConnectShape:     "%[1]s: %[2]s is of another kind than expected. The file was left as it is. Mend it, then try again.",
		ConnectTaken:     "%[1]s: %[2]s is an entry of your own that does not start Followup. It was left as it is; with --replace, Followup's takes its place.",
		ConnectMeanwhile: "%[1]s was changed by another program at the same moment, and was left as it is. Try again.",
		ConnectReadOnly:  "%[1]s is read-only, and was left as it is. Make it writable, then try again.",
		ConnectNoFile:    "%[1]s is not a file, and was left as it is. Move it away, then try again.",
		ConnectFailed:    "%[1]s could not be changed: %[2]s",
		ConnectNobody:    "No agent was found on this machine.",

		DoctorKept:       "Questions are kept in %[1]s.",
		DoctorNotKept:    "Nothing can be kept in %[1]s: %[2]s. Agents ask in their own way until that is mended.",
		DoctorShown:      "An inbox is open.",
		DoctorNotShown:   "No inbox is open: agents ask in their own way, or wait. Open an editor with Followup, or run: followup web",
		DoctorPush:       "%[1]s is notified while no page is open. Nothing was sent yet.",
		DoctorPushed:     "%[1]s is notified while no page is open. The last notification was delivered at %[2]s.",
		DoctorPushFailed: "%[1]s was not notified at %[2]s: %[3]s. Open its page, and turn notifications off and on again.",
		DoctorProgram:    "Agents start %[1]s, version %[2]s.",
		DoctorOlder:      "Agents start %[1]s, version %[2]s, older than this one (%[3]s). To renew it: followup connect --all",
		DoctorNotRun:     "%[1]s, which agents start, does not run: %[2]s. To renew it: followup connect --all",
		DoctorNoAgent:    "No agent is connected. To see which there are: followup connect",
		DoctorTools:      "%[1]s: the tools answer.",
		DoctorNoTools:    "%[1]s: the tools do not answer: %[2]s. Connect it again.",
		DoctorHook:       "%[1]s: the hook answers.",
		DoctorNoHook:     "%[1]s: the hook does not answer: %[2]s. Connect it again.",
		DoctorOff:        "%[1]s: %[2]s = %[4]s in %[3]s turns it off. Change that setting.",
		DoctorUntrusted:  "%[1]s does not trust the hook yet, and skips it. Start it once and choose to trust Followup's.",
		DoctorPlugin:     "%[1]s: the plugin is there.",
		DoctorNoPlugin:   "%[1]s: the plugin %[2]s is missing, or is another version's. Connect it again.",
		DoctorConnect:    "%[1]s: %[2]s. To connect it: followup connect %[3]s",
		DoctorSlow:       "no answer within %[1]d seconds",
		DoctorLockedBy:   "%[2]s (process %[3]d) has locked the history in %[1]s, so no question can be saved. Close that program, then run this again.",

		DoctorLimit:       "%[1]s gives up on a question after %[4]s. Set %[2]s to %[5]s in %[3]s.",
		DoctorBackground:  "%[1]s moves a question to the background after %[4]s, and does not trust the answer that comes then. Set %[2]s to \"0\" in %[3]s.",
		DoctorDenied:      "%[1]s may not use Followup's tools: %[2]s in %[3]s has %[4]s. Remove it there.",
		DoctorNotAllowed:  "%[1]s may not use Followup's tools: %[2]s in %[3]s lacks %[4]s. Add it there.",
		DoctorEnvironment: "the environment",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		ConnectNone:      "non connecté",
		ConnectPartly:    "à reconnecter",
		ConnectConnected: "connecté",
		ConnectForeign:   "a une autre entrée de ce nom",
		ConnectBroken:    "sa configuration est illisible",
		ConnectNotFound:  "introuvable sur cette machine",
		ConnectHint:      "Pour en connecter un : followup connect AGENT. Pour connecter tous ceux qui ont été trouvés : followup connect --all. --dry-run montre seulement ce qui changerait.",

		ConnectDone:     "%[1]s est connecté.",
		ConnectSame:     "%[1]s était déjà connecté ; rien n'a été modifié.",
		ConnectBack:     "%[1]s n'est plus connecté.",
		ConnectNotThere: "%[1]s n'était pas connecté ; rien n'a été modifié.",
		ConnectPreview:  "%[1]s : voici ce qui changerait.",
		ConnectCreated:  "créé : %[1]s",
		ConnectChanged:  "modifié : %[1]s",
		ConnectRemoved:  "supprimé : %[1]s",
		ConnectRestored: "comme avant : %[1]s",
		ConnectBackup:   "conservé tel quel : %[1]s",
		ConnectRestart:  "Là où %[1]s tourne déjà, redémarrez-le.",
		ConnectTrust:    "%[1]s ignore les hooks tant que vous ne leur faites pas confiance : démarrez-le une fois et approuvez celui de Followup.",
		ConnectAbsent:   "%[1]s est introuvable sur cette machine. Il sera connecté dès qu'il sera installé.",
		ConnectNewer:    "%[1]s est en version %[2]s, plus récente que celle-ci (%[3]s), et a été conservé.",

		ConnectAlso:          "%[1]s : définit aussi %[2]s dans %[3]s : %[4]s (%[5]s)",
		ConnectForHook:       "pour que les questions propres à l'agent arrivent dans votre boîte de réception",
		ConnectForApprovals:  "pour que les questions propres à l'agent et ses demandes d'autorisation arrivent dans votre boîte de réception",
		ConnectForAllow:      "pour que l'agent utilise les outils de Followup sans demander",
		ConnectForForeground: "pour que l'agent attende votre réponse plus de deux minutes",
		ConnectForHooks:      "active tous les hooks de ce fichier",

		ConnectSyntax:    "%[1]s est illisible : ligne %[2]d : %[3]s. Le fichier a été laissé tel quel. Corrigez-le, puis réessayez.",
		ConnectShape:     "%[1]s : %[2]s n'est pas du type attendu. Le fichier a été laissé tel quel. Corrigez-le, puis réessayez.",
		ConnectTaken:     "%[1]s : %[2]s est une entrée à vous qui ne lance pas Followup. Elle a été laissée telle quelle ; avec --replace, celle de Followup prend sa place.",
		ConnectMeanwhile: "%[1]s a été modifié par un autre programme au même moment, et a été laissé tel quel. Réessayez.",
		ConnectReadOnly:  "%[1]s est en lecture seule, et a été laissé tel quel. Autorisez l'écriture, puis réessayez.",
		ConnectNoFile:    "%[1]s n'est pas un fichier, et a été laissé tel quel. Déplacez-le, puis réessayez.",
		ConnectFailed:    "%[1]s n'a pas pu être modifié : %[2]s",
		ConnectNobody:    "Aucun agent n'a été trouvé sur cette machine.",

		DoctorKept:       "Les questions sont conservées dans %[1]s.",
		DoctorNotKept:    "Rien ne peut être conservé dans %[1]s : %[2]s. D'ici là, les agents demandent à leur façon.",
		DoctorShown:      "Une boîte de réception est ouverte.",
		DoctorNotShown:   "Aucune boîte de réception n'est ouverte : les agents demandent à leur façon, ou attendent. Ouvrez un éditeur avec Followup, ou lancez : followup web",
		DoctorPush:       "%[1]s est averti quand aucune page n'est ouverte. Rien n'a encore été envoyé.",
		DoctorPushed:     "%[1]s est averti quand aucune page n'est ouverte. La dernière notification a été remise à %[2]s.",
		DoctorPushFailed: "%[1]s n'a pas été averti à %[2]s : %[3]s. Ouvrez-y la page, désactivez les notifications et réactivez-les.",
		DoctorProgram:    "Les agents lancent %[1]s, version %[2]s.",
		DoctorOlder:      "Les agents lancent %[1]s, version %[2]s, plus ancienne que celle-ci (%[3]s). Pour le renouveler : followup connect --all",
		DoctorNotRun:     "%[1]s, que les agents lancent, ne fonctionne pas : %[2]s. Pour le renouveler : followup connect --all",
		DoctorNoAgent:    "Aucun agent n'est connecté. Pour voir lesquels existent : followup connect",
		DoctorTools:      "%[1]s : les outils répondent.",
		DoctorNoTools:    "%[1]s : les outils ne répondent pas : %[2]s. Reconnectez-le.",
		DoctorHook:       "%[1]s : le hook répond.",
		DoctorNoHook:     "%[1]s : le hook ne répond pas : %[2]s. Reconnectez-le.",
		DoctorOff:        "%[1]s : %[2]s = %[4]s dans %[3]s le désactive. Modifiez ce réglage.",
		DoctorUntrusted:  "%[1]s ne fait pas encore confiance au hook et l'ignore. Démarrez-le une fois et approuvez celui de Followup.",
		DoctorPlugin:     "%[1]s : le plugin est là.",
		DoctorNoPlugin:   "%[1]s : le plugin %[2]s manque ou est d'une autre version. Reconnectez-le.",
		DoctorConnect:    "%[1]s : %[2]s. Pour le connecter : followup connect %[3]s",
		DoctorSlow:       "pas de réponse en %[1]d secondes",
		DoctorLockedBy:   "%[2]s (processus %[3]d) a verrouillé l'historique dans %[1]s : aucune question ne peut être enregistrée. Fermez ce programme, puis relancez cette commande.",

		DoctorLimit:       "%[1]s abandonne une question au bout de %[4]s. Réglez %[2]s sur %[5]s dans %[3]s.",
		DoctorBackground:  "%[1]s passe une question en arrière-plan au bout de %[4]s, puis ne se fie pas à la réponse. Réglez %[2]s sur \"0\" dans %[3]s.",
		DoctorDenied:      "%[1]s ne peut pas utiliser les outils de Followup : %[2]s dans %[3]s contient %[4]s. Retirez-le.",
		DoctorNotAllowed:  "%[1]s ne peut pas utiliser les outils de Followup : il manque %[4]s à %[2]s dans %[3]s. Ajoutez-le.",
		DoctorEnvironment: "l'environnement",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		ConnectNone:      "未连接",
		ConnectPartly:    "需要重新连接",
		ConnectConnected: "已连接",
		ConnectForeign:   "已有另一个同名条目",
		ConnectBroken:    "无法读取其配置",
		ConnectNotFound:  "本机上未找到",
		ConnectHint:      "连接一个：followup connect AGENT。连接所有找到的：followup connect --all。--dry-run 只显示会更改什么。",

		ConnectDone:     "%[1]s 已连接。",
		ConnectSame:     "%[1]s 早已连接；未作任何更改。",
		ConnectBack:     "%[1]s 已断开连接。",
		ConnectNotThere: "%[1]s 未连接；未作任何更改。",
		ConnectPreview:  "%[1]s：将作以下更改。",
		ConnectCreated:  "新建：%[1]s",
		ConnectChanged:  "已更改：%[1]s",
		ConnectRemoved:  "已移除：%[1]s",
		ConnectRestored: "已恢复原样：%[1]s",
		ConnectBackup:   "原文件保存为：%[1]s",
		ConnectRestart:  "如果 %[1]s 正在运行，请重新启动它。",
		ConnectTrust:    "%[1]s 会跳过尚未信任的钩子：请启动它一次，并选择信任 Followup 的钩子。",
		ConnectAbsent:   "本机上未找到 %[1]s。安装后它就会连接。",
		ConnectNewer:    "%[1]s 的版本是 %[2]s，比当前版本（%[3]s）新，已保留。",

		ConnectAlso:          "%[1]s：还在 %[3]s 中设置 %[2]s：%[4]s（%[5]s）",
		ConnectForHook:       "使智能体自己的问题出现在你的收件箱中",
		ConnectForApprovals:  "使智能体自己的问题和权限请求出现在你的收件箱中",
		ConnectForAllow:      "使智能体无需询问即可使用 Followup 的工具",
		ConnectForForeground: "使智能体等待你的回答超过两分钟",
		ConnectForHooks:      "启用此文件中的所有钩子",

		ConnectSyntax:    "无法读取 %[1]s：第 %[2]d 行：%[3]s。文件保持原样。请修正后重试。",
		ConnectShape:     "%[1]s：%[2]s 的类型与预期不同。文件保持原样。请修正后重试。",
		ConnectTaken:     "%[1]s：%[2]s 是您自己的条目，并不启动 Followup。它保持原样；使用 --replace 可由 Followup 的条目取代。",
		ConnectMeanwhile: "%[1]s 在同一时刻被另一个程序更改，保持原样。请重试。",
		ConnectReadOnly:  "%[1]s 是只读的，已保持原样。请使其可写，然后重试。",
		ConnectNoFile:    "%[1]s 不是文件，已保持原样。请将其移走，然后重试。",
		ConnectFailed:    "无法更改 %[1]s：%[2]s",
		ConnectNobody:    "本机上未找到任何智能体。",

		DoctorKept:       "问题保存在 %[1]s。",
		DoctorNotKept:    "%[1]s 中无法保存任何内容：%[2]s。修复之前，智能体以自己的方式提问。",
		DoctorShown:      "收件箱已打开。",
		DoctorNotShown:   "没有打开的收件箱：智能体会以自己的方式提问，或一直等待。请打开装有 Followup 的编辑器，或运行：followup web",
		DoctorPush:       "没有页面打开时会通知 %[1]s。尚未发送过任何通知。",
		DoctorPushed:     "没有页面打开时会通知 %[1]s。上一条通知于 %[2]s 送达。",
		DoctorPushFailed: "%[2]s 未能通知 %[1]s：%[3]s。请在那里打开页面，关闭通知后重新开启。",
		DoctorProgram:    "智能体启动 %[1]s，版本 %[2]s。",
		DoctorOlder:      "智能体启动 %[1]s，版本 %[2]s，比当前版本（%[3]s）旧。更新它：followup connect --all",
		DoctorNotRun:     "智能体启动的 %[1]s 无法运行：%[2]s。更新它：followup connect --all",
		DoctorNoAgent:    "没有已连接的智能体。查看有哪些：followup connect",
		DoctorTools:      "%[1]s：工具有响应。",
		DoctorNoTools:    "%[1]s：工具没有响应：%[2]s。请重新连接。",
		DoctorHook:       "%[1]s：钩子有响应。",
		DoctorNoHook:     "%[1]s：钩子没有响应：%[2]s。请重新连接。",
		DoctorOff:        "%[1]s：%[3]s 中的 %[2]s = %[4]s 将其关闭。请更改该设置。",
		DoctorUntrusted:  "%[1]s 尚未信任该钩子，会跳过它。请启动它一次，并选择信任 Followup 的钩子。",
		DoctorPlugin:     "%[1]s：插件已就位。",
		DoctorNoPlugin:   "%[1]s：插件 %[2]s 缺失或属于另一个版本。请重新连接。",
		DoctorConnect:    "%[1]s：%[2]s。连接它：followup connect %[3]s",
		DoctorSlow:       "%[1]d 秒内没有响应",
		DoctorLockedBy:   "%[2]s（进程 %[3]d）锁定了 %[1]s 中的历史记录，无法保存任何问题。请关闭该程序，然后重新运行此命令。",

		DoctorLimit:       "%[1]s 在 %[4]s 后放弃提问。请在 %[3]s 中将 %[2]s 设为 %[5]s。",
		DoctorBackground:  "%[1]s 在 %[4]s 后将提问转入后台，并且不信任之后的回答。请在 %[3]s 中将 %[2]s 设为 \"0\"。",
		DoctorDenied:      "%[1]s 不能使用 Followup 的工具：%[3]s 中的 %[2]s 包含 %[4]s。请将其移除。",
		DoctorNotAllowed:  "%[1]s 不能使用 Followup 的工具：%[3]s 中的 %[2]s 缺少 %[4]s。请添加。",
		DoctorEnvironment: "环境变量",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		ConnectNone:      "não conectado",
		ConnectPartly:    "precisa ser conectado de novo",
		ConnectConnected: "conectado",
		ConnectForeign:   "tem outra entrada com este nome",
		ConnectBroken:    "a configuração dele não pode ser lida",
		ConnectNotFound:  "não encontrado nesta máquina",
		ConnectHint:      "Para conectar um: followup connect AGENTE. Para conectar todos os encontrados: followup connect --all. --dry-run só mostra o que mudaria.",

		ConnectDone:     "%[1]s está conectado.",
		ConnectSame:     "%[1]s já estava conectado; nada foi alterado.",
		ConnectBack:     "%[1]s não está mais conectado.",
		ConnectNotThere: "%[1]s não estava conectado; nada foi alterado.",
		ConnectPreview:  "%[1]s: isto mudaria.",
		ConnectCreated:  "criado: %[1]s",
		ConnectChanged:  "alterado: %[1]s",
		ConnectRemoved:  "removido: %[1]s",
		ConnectRestored: "como era antes: %[1]s",
		ConnectBackup:   "guardado como era: %[1]s",
		ConnectRestart:  "Onde %[1]s já estiver em execução, reinicie-o.",
		ConnectTrust:    "%[1]s ignora hooks até que você confie neles: inicie-o uma vez e escolha confiar no do Followup.",
		ConnectAbsent:   "%[1]s não foi encontrado nesta máquina. Será conectado assim que for instalado.",
		ConnectNewer:    "%[1]s é da versão %[2]s, mais nova que esta (%[3]s), e foi mantido.",

		ConnectAlso:          "%[1]s: também define %[2]s em %[3]s: %[4]s (%[5]s)",
		ConnectForHook:       "para que as perguntas do próprio agente apareçam na sua caixa de entrada",
		ConnectForApprovals:  "para que as perguntas do próprio agente e seus pedidos de permissão apareçam na sua caixa de entrada",
		ConnectForAllow:      "para que o agente use as ferramentas do Followup sem perguntar",
		ConnectForForeground: "para que o agente espere sua resposta por mais de dois minutos",
		ConnectForHooks:      "ativa todos os hooks deste arquivo",

		ConnectSyntax:    "%[1]s não pode ser lido: linha %[2]d: %[3]s. Foi deixado como está. Corrija-o e tente de novo.",
		ConnectShape:     "%[1]s: %[2]s é de um tipo diferente do esperado. O arquivo foi deixado como está. Corrija-o e tente de novo.",
		ConnectTaken:     "%[1]s: %[2]s é uma entrada sua que não inicia o Followup. Foi deixada como está; com --replace, a do Followup toma o lugar dela.",
		ConnectMeanwhile: "%[1]s foi alterado por outro programa no mesmo momento e foi deixado como está. Tente de novo.",
		ConnectReadOnly:  "%[1]s é somente leitura e foi deixado como está. Permita a escrita e tente de novo.",
		ConnectNoFile:    "%[1]s não é um arquivo e foi deixado como está. Mova-o e tente de novo.",
		ConnectFailed:    "%[1]s não pôde ser alterado: %[2]s",
		ConnectNobody:    "Nenhum agente foi encontrado nesta máquina.",

		DoctorKept:       "As perguntas são guardadas em %[1]s.",
		DoctorNotKept:    "Nada pode ser guardado em %[1]s: %[2]s. Até isso ser corrigido, os agentes perguntam do jeito deles.",
		DoctorShown:      "Uma caixa de entrada está aberta.",
		DoctorNotShown:   "Nenhuma caixa de entrada está aberta: os agentes perguntam do jeito deles, ou esperam. Abra um editor com o Followup, ou execute: followup web",
		DoctorPush:       "%[1]s é avisado quando nenhuma página está aberta. Nada foi enviado ainda.",
		DoctorPushed:     "%[1]s é avisado quando nenhuma página está aberta. A última notificação foi entregue às %[2]s.",
		DoctorPushFailed: "%[1]s não foi avisado às %[2]s: %[3]s. Abra a página nele, e desative e ative de novo as notificações.",
		DoctorProgram:    "Os agentes iniciam %[1]s, versão %[2]s.",
		DoctorOlder:      "Os agentes iniciam %[1]s, versão %[2]s, mais antiga que esta (%[3]s). Para renová-lo: followup connect --all",
		DoctorNotRun:     "%[1]s, que os agentes iniciam, não funciona: %[2]s. Para renová-lo: followup connect --all",
		DoctorNoAgent:    "Nenhum agente está conectado. Para ver quais existem: followup connect",
		DoctorTools:      "%[1]s: as ferramentas respondem.",
		DoctorNoTools:    "%[1]s: as ferramentas não respondem: %[2]s. Conecte-o de novo.",
		DoctorHook:       "%[1]s: o hook responde.",
		DoctorNoHook:     "%[1]s: o hook não responde: %[2]s. Conecte-o de novo.",
		DoctorOff:        "%[1]s: %[2]s = %[4]s em %[3]s o desativa. Mude essa configuração.",
		DoctorUntrusted:  "%[1]s ainda não confia no hook e o ignora. Inicie-o uma vez e escolha confiar no do Followup.",
		DoctorPlugin:     "%[1]s: o plugin está lá.",
		DoctorNoPlugin:   "%[1]s: o plugin %[2]s está faltando ou é de outra versão. Conecte-o de novo.",
		DoctorConnect:    "%[1]s: %[2]s. Para conectá-lo: followup connect %[3]s",
		DoctorSlow:       "nenhuma resposta em %[1]d segundos",
		DoctorLockedBy:   "%[2]s (processo %[3]d) bloqueou o histórico em %[1]s: nenhuma pergunta pode ser salva. Feche esse programa e execute este comando de novo.",

		DoctorLimit:       "%[1]s desiste de uma pergunta depois de %[4]s. Defina %[2]s como %[5]s em %[3]s.",
		DoctorBackground:  "%[1]s passa uma pergunta para segundo plano depois de %[4]s e não confia na resposta que vem então. Defina %[2]s como \"0\" em %[3]s.",
		DoctorDenied:      "%[1]s não pode usar as ferramentas do Followup: %[2]s em %[3]s contém %[4]s. Remova isso.",
		DoctorNotAllowed:  "%[1]s não pode usar as ferramentas do Followup: falta %[4]s em %[2]s em %[3]s. Adicione.",
		DoctorEnvironment: "o ambiente",
	}
})
