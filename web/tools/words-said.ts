import fs from 'node:fs'
import path from 'node:path'

const sources = `${import.meta.dirname}/../src`

/** What comes with a file; a type comes with nothing. */
const imported = /^(?!import type).*from '(\.[^']+\.tsx?)'$/gm

/** The words that these modules say, with all that they import at once. */
export function wordsSaid(files: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>()
  const seen = new Set<string>()
  function read(file: string): void {
    if (seen.has(file)) return
    seen.add(file)
    const text = fs.readFileSync(file, 'utf8')
    for (const [, word = ''] of text.matchAll(/\bm\.(\w+)/g)) words.add(word)
    for (const [, other = ''] of text.matchAll(imported)) read(path.resolve(path.dirname(file), other))
  }
  for (const file of files) read(path.join(sources, file))
  return words
}
