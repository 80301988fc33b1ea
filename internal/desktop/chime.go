package desktop

import (
	"bytes"
	"encoding/binary"
	"math"
)

// The sound: two soft tones, a fourth apart.
const (
	sampleRate = 22050
	loudness   = 0.25
	fading     = 0.05 // in seconds, to avoid clicks
)

var tones = []struct{ hertz, seconds float64 }{{659.26, 0.12}, {880, 0.22}}

// chime returns the sound as a WAV file: PCM, one channel, 16 bits (http://soundfile.sapp.org/doc/WaveFormat).
func chime() []byte {
	var samples []int16
	for _, tone := range tones {
		count := int(tone.seconds * sampleRate)
		for i := range count {
			at, left := float64(i)/sampleRate, float64(count-i)/sampleRate
			envelope := min(1, at/(fading/5), left/fading)
			samples = append(samples, int16(math.MaxInt16*loudness*envelope*math.Sin(2*math.Pi*tone.hertz*at)))
		}
	}
	const bytesEach = 2
	length := uint32(len(samples) * bytesEach)
	var wav bytes.Buffer
	for _, part := range []any{
		[]byte("RIFF"), 36 + length, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1),
		uint32(sampleRate), uint32(sampleRate * bytesEach), uint16(bytesEach), uint16(8 * bytesEach),
		[]byte("data"), length, samples,
	} {
		_ = binary.Write(&wav, binary.LittleEndian, part) // a buffer never fails
	}
	return wav.Bytes()
}
