package locale

var _ = register(Portuguese, func() Messages {
	return Messages{
		MissingParameter: "Parâmetro obrigatório '%[1]s' ausente",
		ParseFailed:      "Falha ao analisar operações: %[1]s",
		InvalidFormat:    "Formato xml de operações inválido",
		UnexpectedEnd:    "fim inesperado da entrada",
		TooLarge:         "O parâmetro '%[1]s' é grande demais: o limite é %[2]s",
		MessageTooLarge:  "A mensagem é grande demais: o limite é %[1]s",
		UnknownTool:      "Não há nenhuma ferramenta '%[1]s' aqui",
		InvalidValue:     "Valor inválido para '%[1]s'",
		Bytes:            "%[1]d bytes",
		Kibibytes:        "%[1]d KiB",
		Mebibytes:        "%[1]d MiB",
		BareLess:         "um '<' não inicia nenhuma tag; escreva-o como &lt;",
		BareAmpersand:    "um '&' não inicia nenhuma entidade; escreva-o como &amp;",
		UnclosedTag:      "<%[1]s> não foi fechada",
		StrayEndTag:      "</%[1]s> não fecha nada",
		BadAttribute:     "um atributo de <%[1]s> não está escrito como nome=\"valor\"",
		Hidden:           "a chamada está dentro de um bloco de código ou de um elemento que não foi fechado",
		NoJSON:           "os argumentos não são JSON; encontrado %[1]s onde um objeto deveria começar",
		NotObject:        "os argumentos não são um objeto JSON",
		Unexpected:       "%[1]s inesperado no JSON",
		BadEscape:        "uma string JSON tem um escape desconhecido antes de %[1]s",
		Trailing:         "%[1]s inesperado depois do fim do JSON",
		InnerEnd:         "o JSON dentro da string termina cedo demais",
		TrailingComma:    "há uma vírgula antes de um fechamento no JSON",
		ControlInString:  "um caractere de controle não está escapado em uma string JSON",
		AroundJSON:       "o JSON está dentro de um bloco de código ou atrás de uma marca de ordem de bytes",
		StrayBracket:     "há um fechamento depois do fim do JSON",
		Unreadable:       "a entrada não pode ser lida",
	}
})
