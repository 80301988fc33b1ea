package locale

// The Chinese document quotes the error messages in English, so they stay English here; their details are Chinese.
var _ = register(Chinese, func() Messages {
	return Messages{
		MissingParameter: "Missing required parameter '%[1]s'",
		ParseFailed:      "Failed to parse operations: %[1]s",
		InvalidFormat:    "Invalid operations xml format",
		UnexpectedEnd:    "输入意外结束",
		TooLarge:         "参数 '%[1]s' 过大：上限为 %[2]s",
		MessageTooLarge:  "消息过大：上限为 %[1]s",
		UnknownTool:      "此处没有名为 '%[1]s' 的工具",
		InvalidValue:     "'%[1]s' 的值无效",
		Bytes:            "%[1]d 字节",
		Kibibytes:        "%[1]d KiB",
		Mebibytes:        "%[1]d MiB",
		BareLess:         "有一个 '<' 不是标签的开头；请写成 &lt;",
		BareAmpersand:    "有一个 '&' 不是实体的开头；请写成 &amp;",
		UnclosedTag:      "<%[1]s> 没有关闭",
		StrayEndTag:      "</%[1]s> 没有对应的开始标签",
		BadAttribute:     "<%[1]s> 的某个属性没有写成 name=\"value\" 的形式",
		Hidden:           "该调用位于未关闭的代码块或元素之中",
		NoJSON:           "参数不是 JSON；在对象应当开始的位置遇到 %[1]s",
		NotObject:        "参数不是 JSON 对象",
		Unexpected:       "JSON 中出现意外的 %[1]s",
		BadEscape:        "JSON 字符串中 %[1]s 之前的转义无法识别",
		Trailing:         "JSON 结束之后出现意外的 %[1]s",
		InnerEnd:         "字符串中的 JSON 过早结束",
		TrailingComma:    "JSON 的右括号之前有多余的逗号",
		ControlInString:  "JSON 字符串中有未转义的控制字符",
		AroundJSON:       "JSON 位于代码围栏之中或字节顺序标记之后",
		StrayBracket:     "JSON 结束之后有多余的右括号",
		Unreadable:       "无法读取输入",
	}
})
