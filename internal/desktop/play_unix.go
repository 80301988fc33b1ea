//go:build !windows && !darwin

package desktop

// players are those of PipeWire, PulseAudio and ALSA.
var players = [][]string{{"pw-play"}, {"paplay"}, {"aplay", "-q"}}
