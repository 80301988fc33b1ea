package locale

// Keys of where something is wrong, in our own words.
const (
	PlaceLine    Key = "place.line"    // line, column
	PlaceExcerpt Key = "place.excerpt" // place, what stands there
	Placed       Key = "place.detail"  // detail, place
	Found        Key = "place.found"   // place
	EndsAt       Key = "place.ends"    // place
	NoList       Key = "place.no_list" // parameter, place
	Mended       Key = "place.mended"  // codes of repairs
)

var _ = register(English, func() Messages {
	return Messages{
		PlaceLine:    "line %[1]d, column %[2]d",
		PlaceExcerpt: "%[1]s: “%[2]s”",
		Placed:       "%[1]s (%[2]s)",
		Found:        "Found at %[1]s",
		EndsAt:       "The input ends at %[1]s",
		NoList:       "'%[1]s' must be a list of suggestions, such as [{\"text\": \"Yes\"}, {\"text\": \"No\"}]. Found at %[2]s",
		Mended:       "Strict mode mends nothing, and found what would need %[1]s",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		PlaceLine:    "ligne %[1]d, colonne %[2]d",
		PlaceExcerpt: "%[1]s : « %[2]s »",
		Placed:       "%[1]s (%[2]s)",
		Found:        "Trouvé ici : %[1]s",
		EndsAt:       "L'entrée s'arrête ici : %[1]s",
		NoList:       "'%[1]s' doit être une liste de suggestions, par exemple [{\"text\": \"Oui\"}, {\"text\": \"Non\"}]. Trouvé ici : %[2]s",
		Mended:       "Le mode strict ne répare rien, et a trouvé ce qui exigerait %[1]s",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		PlaceLine:    "第 %[1]d 行第 %[2]d 列",
		PlaceExcerpt: "%[1]s：“%[2]s”",
		Placed:       "%[1]s（%[2]s）",
		Found:        "位置：%[1]s",
		EndsAt:       "输入在此结束：%[1]s",
		NoList:       "'%[1]s' 必须是建议的列表，例如 [{\"text\": \"是\"}, {\"text\": \"否\"}]。位置：%[2]s",
		Mended:       "严格模式不做任何修复，此处需要 %[1]s",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		PlaceLine:    "linha %[1]d, coluna %[2]d",
		PlaceExcerpt: "%[1]s: “%[2]s”",
		Placed:       "%[1]s (%[2]s)",
		Found:        "Encontrado em: %[1]s",
		EndsAt:       "A entrada termina em: %[1]s",
		NoList:       "'%[1]s' deve ser uma lista de sugestões, como [{\"text\": \"Sim\"}, {\"text\": \"Não\"}]. Encontrado em: %[2]s",
		Mended:       "O modo estrito não corrige nada, e encontrou o que exigiria %[1]s",
	}
})
