package locale

// Keys of why a value is invalid, in our own words.
const (
	InvalidValueDetail Key = "error.invalid_value.detail" // field, detail
	ValueCount         Key = "value.count"                // least, most and found number of items
	ValueDuplicate     Key = "value.duplicate"            // text
	ValueType          Key = "value.type"                 // wanted and found type
	ValueMended        Key = "value.mended"               // codes of repairs
	TypeNull           Key = "type.null"
	TypeBool           Key = "type.boolean"
	TypeNumber         Key = "type.number"
	TypeString         Key = "type.string"
	TypeList           Key = "type.list"
	TypeObject         Key = "type.object"
)

var _ = register(English, func() Messages {
	return Messages{
		InvalidValueDetail: "Invalid value for '%[1]s': %[2]s",
		ValueCount:         "it must hold %[1]d to %[2]d items, found %[3]d",
		ValueDuplicate:     "each must be unique, found “%[1]s” twice",
		ValueType:          "it must be %[1]s, found %[2]s",
		ValueMended:        "strict mode mends nothing, found what would need %[1]s",
		TypeNull:           "null",
		TypeBool:           "true or false",
		TypeNumber:         "a number",
		TypeString:         "a string",
		TypeList:           "a list",
		TypeObject:         "an object",
	}
})

var _ = register(French, func() Messages {
	return Messages{
		InvalidValueDetail: "Valeur invalide pour '%[1]s' : %[2]s",
		ValueCount:         "la liste doit contenir de %[1]d à %[2]d éléments, trouvé %[3]d",
		ValueDuplicate:     "chaque valeur doit être unique, trouvé « %[1]s » deux fois",
		ValueType:          "la valeur doit être %[1]s, trouvé %[2]s",
		ValueMended:        "le mode strict ne répare rien, trouvé ce qui exigerait %[1]s",
		TypeNull:           "null",
		TypeBool:           "true ou false",
		TypeNumber:         "un nombre",
		TypeString:         "une chaîne",
		TypeList:           "une liste",
		TypeObject:         "un objet",
	}
})

var _ = register(Chinese, func() Messages {
	return Messages{
		InvalidValueDetail: "'%[1]s' 的值无效：%[2]s",
		ValueCount:         "必须包含 %[1]d 到 %[2]d 项，实际为 %[3]d 项",
		ValueDuplicate:     "每项必须唯一，“%[1]s”出现了两次",
		ValueType:          "必须是%[1]s，实际为%[2]s",
		ValueMended:        "严格模式不做任何修复，此处需要 %[1]s",
		TypeNull:           "空值（null）",
		TypeBool:           "布尔值",
		TypeNumber:         "数字",
		TypeString:         "字符串",
		TypeList:           "列表",
		TypeObject:         "对象",
	}
})

var _ = register(Portuguese, func() Messages {
	return Messages{
		InvalidValueDetail: "Valor inválido para '%[1]s': %[2]s",
		ValueCount:         "a lista deve conter de %[1]d a %[2]d itens, encontrado %[3]d",
		ValueDuplicate:     "cada valor deve ser único, encontrado “%[1]s” duas vezes",
		ValueType:          "o valor deve ser %[1]s, encontrado %[2]s",
		ValueMended:        "o modo estrito não corrige nada, encontrado o que exigiria %[1]s",
		TypeNull:           "null",
		TypeBool:           "true ou false",
		TypeNumber:         "um número",
		TypeString:         "uma string",
		TypeList:           "uma lista",
		TypeObject:         "um objeto",
	}
})
