const least = 262_144
// The buffer of a longer document is released after use.
const mostKept = 1_048_576
const bytesOfUnit = 3

// One buffer is enough: a document is encoded synchronously, and the response gets a copy.
let scratch = Buffer.allocUnsafeSlow(least)

function grow(needed: number, used: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * scratch.length))
  scratch.copy(larger, 0, 0, used)
  scratch = larger
}

/**
 * Encodes the parts of a document as UTF-8 into a reused buffer: joining them first would allocate twice the
 * document per response, formerly the main use of memory.
 */
export function encode(parts: readonly string[]): Buffer {
  let used = 0
  for (const part of parts) {
    const needed = used + bytesOfUnit * part.length
    if (needed > scratch.length) grow(needed, used)
    used += scratch.write(part, used)
  }
  const document = Buffer.allocUnsafeSlow(used)
  scratch.copy(document, 0, 0, used)
  if (scratch.length > mostKept) scratch = Buffer.allocUnsafeSlow(least)
  return document
}
