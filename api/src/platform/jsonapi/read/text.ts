const least = 262_144
// A longer document is written, and its memory then given back.
const mostKept = 1_048_576
const bytesOfUnit = 3

// One at a time is enough: a document is written in one go, and leaves as a copy.
let scratch = Buffer.allocUnsafeSlow(least)

function grow(needed: number, used: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * scratch.length))
  scratch.copy(larger, 0, 0, used)
  scratch = larger
}

/**
 * The parts of a document, one after another, in UTF-8. They are encoded once, into memory that is there already: joining
 * them first would leave twice the document behind for each answer, which is what the server's memory mostly went into.
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
