// The signature of a local file header in a ZIP: "PK", 3, 4. No byte of it repeats.
const mark = [0x50, 0x4b, 3, 4]

/** Counts the files of a ZIP as their headers arrive; the pieces may end anywhere. */
export function zipCounter(): (piece: Uint8Array) => number {
  let [seen, files] = [0, 0]
  return (piece) => {
    for (const byte of piece) {
      if (byte === mark[seen]) seen++
      else seen = byte === mark[0] ? 1 : 0
      if (seen < mark.length) continue
      files++
      seen = 0
    }
    return files
  }
}
