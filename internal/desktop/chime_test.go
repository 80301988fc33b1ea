package desktop

import (
	"encoding/binary"
	"testing"
)

func TestChime(t *testing.T) {
	wav := chime()
	if len(wav) > 20_000 || string(wav[:4]) != "RIFF" || string(wav[8:16]) != "WAVEfmt " || string(wav[36:40]) != "data" {
		t.Fatalf("%d bytes, which begin with %q", len(wav), wav[:44])
	}
	if size := binary.LittleEndian.Uint32(wav[4:]); int(size) != len(wav)-8 {
		t.Errorf("RIFF says %d of %d bytes", size, len(wav))
	}
	if size := binary.LittleEndian.Uint32(wav[40:]); int(size) != len(wav)-44 {
		t.Errorf("data says %d of %d bytes", size, len(wav))
	}
	loudest, before := 0, 0
	for at := 44; at < len(wav); at += 2 {
		sample := int(int16(binary.LittleEndian.Uint16(wav[at:])))
		loudest = max(loudest, sample, -sample)
		if jump := sample - before; jump > 3000 || jump < -3000 {
			t.Fatalf("it clicks at byte %d: from %d to %d", at, before, sample)
		}
		before = sample
	}
	if loudest < 4000 || loudest > 10000 {
		t.Errorf("the loudest sample is %d", loudest)
	}
}
