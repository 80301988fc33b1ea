package locale

var _ = register(French, func() Messages {
	return Messages{
		MissingParameter: "Paramètre requis manquant '%[1]s'",
		ParseFailed:      "Échec du parsing des opérations : %[1]s",
		InvalidFormat:    "Format d'opérations XML invalide",
		UnexpectedEnd:    "fin inattendue de l'entrée",
		TooLarge:         "Le paramètre '%[1]s' est trop grand : la limite est de %[2]s",
		MessageTooLarge:  "Le message est trop grand : la limite est de %[1]s",
		UnknownTool:      "Il n'y a pas d'outil '%[1]s' ici",
		InvalidValue:     "Valeur invalide pour '%[1]s'",
		Bytes:            "%[1]d octets",
		Kibibytes:        "%[1]d Kio",
		Mebibytes:        "%[1]d Mio",
		BareLess:         "un '<' n'ouvre aucune balise ; écrivez-le &lt;",
		BareAmpersand:    "un '&' n'ouvre aucune entité ; écrivez-le &amp;",
		UnclosedTag:      "<%[1]s> n'est pas fermé",
		StrayEndTag:      "</%[1]s> ne ferme rien",
		BadAttribute:     "un attribut de <%[1]s> n'est pas écrit nom=\"valeur\"",
		Hidden:           "l'appel se trouve dans un bloc de code ou un élément qui n'est pas fermé",
		NoJSON:           "les arguments ne sont pas du JSON ; trouvé %[1]s là où un objet devrait commencer",
		NotObject:        "les arguments ne sont pas un objet JSON",
		Unexpected:       "%[1]s inattendu dans le JSON",
		BadEscape:        "une chaîne JSON contient un échappement inconnu devant %[1]s",
		Trailing:         "%[1]s inattendu après la fin du JSON",
		InnerEnd:         "le JSON contenu dans la chaîne s'arrête trop tôt",
		TrailingComma:    "une virgule précède un crochet ou une accolade fermante dans le JSON",
		ControlInString:  "un caractère de contrôle n'est pas échappé dans une chaîne JSON",
		AroundJSON:       "le JSON se trouve dans un bloc de code ou derrière une marque d'ordre des octets",
		StrayBracket:     "un crochet ou une accolade fermante suit la fin du JSON",
		Unreadable:       "l'entrée est illisible",
	}
})
