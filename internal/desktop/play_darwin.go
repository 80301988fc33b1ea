package desktop

var players = [][]string{{"afplay"}}
