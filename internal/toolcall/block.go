package toolcall

import "strings"

// Block collects texts that arrive in pieces, one behind the other in one allocation. A text is valid while it grows and afterwards. The
// zero value is ready.
type Block struct {
	room strings.Builder
	from int // where the last text begins
}

// maxSpare is how much room is used again at most, in bytes.
const maxSpare = 64 << 10

// Spare returns the room of a list for another one, unless it is large.
func Spare[T byte | bool](list []T) []T {
	if cap(list) > maxSpare {
		return nil
	}
	return list[:0]
}

// firstBlock is the size of a block, in bytes, unless a text is longer.
const firstBlock = 2 << 10

// Begin begins a text, which is empty.
func (b *Block) Begin() { b.from = b.room.Len() }

// Write adds to the text, and so does WriteString.
func (b *Block) Write(piece []byte) {
	b.grow(len(piece))
	b.room.Write(piece)
}

// WriteString adds to the text.
func (b *Block) WriteString(piece string) {
	b.grow(len(piece))
	b.room.WriteString(piece)
}

// grow makes room for n bytes. A text that outgrows its block moves to one of at least twice its size.
func (b *Block) grow(n int) {
	if b.room.Cap()-b.room.Len() < n {
		text := b.Text()
		b.room, b.from = strings.Builder{}, 0
		b.room.Grow(max(firstBlock, 2*len(text)+n))
		b.room.WriteString(text)
	}
}

// Len returns the length of the text.
func (b *Block) Len() int { return b.room.Len() - b.from }

// Text returns the text so far.
func (b *Block) Text() string { return b.room.String()[b.from:] }

// Spare returns the block for other texts to follow, or a new one in place of a large one.
func (b *Block) Spare() *Block {
	if b == nil || b.room.Cap() > maxSpare {
		return &Block{}
	}
	return b
}

// Own returns a part of the text that may be kept: a copy, unless the part fills most of the block.
func (b *Block) Own(part string) string {
	if len(part) > b.room.Cap()*3/4 {
		return part
	}
	return strings.Clone(part)
}
