package locale

var _ = register(English, func() Messages {
	return Messages{
		MissingParameter: "Missing required parameter '%[1]s'",
		ParseFailed:      "Failed to parse operations: %[1]s",
		InvalidFormat:    "Invalid operations xml format",
		UnexpectedEnd:    "unexpected end of input",
		TooLarge:         "Parameter '%[1]s' is too large: the limit is %[2]s",
		MessageTooLarge:  "The message is too large: the limit is %[1]s",
		UnknownTool:      "There is no tool '%[1]s' here",
		InvalidValue:     "Invalid value for '%[1]s'",
		Bytes:            "%[1]d bytes",
		Kibibytes:        "%[1]d KiB",
		Mebibytes:        "%[1]d MiB",
		BareLess:         "a '<' begins no tag; write it as &lt;",
		BareAmpersand:    "an '&' begins no entity; write it as &amp;",
		UnclosedTag:      "<%[1]s> is not closed",
		StrayEndTag:      "</%[1]s> closes nothing",
		BadAttribute:     "an attribute of <%[1]s> is not written name=\"value\"",
		Hidden:           "the call stands inside a code block or an element that is not closed",
		NoJSON:           "the arguments are not JSON; found %[1]s where an object should begin",
		NotObject:        "the arguments are not a JSON object",
		Unexpected:       "unexpected %[1]s in the JSON",
		BadEscape:        "a JSON string has an unknown escape before %[1]s",
		Trailing:         "unexpected %[1]s after the end of the JSON",
		InnerEnd:         "the JSON inside the string ends too early",
		TrailingComma:    "a comma stands before a closing bracket in the JSON",
		ControlInString:  "a control character in a JSON string is not escaped",
		AroundJSON:       "the JSON stands inside a code fence or behind a byte order mark",
		StrayBracket:     "a closing bracket stands behind the end of the JSON",
		Unreadable:       "the input cannot be read",
	}
})
