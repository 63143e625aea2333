import fs from 'node:fs'
import { variables } from './env-variables.ts'

type Source = Readonly<Record<string, string | undefined>>

/** The variables whose value may be in a file instead: every secret one, as NAME_FILE. */
export const secretNames: readonly string[] = Object.entries(variables).flatMap(([name, { secret }]) =>
  secret ? [name] : [],
)

/** The variable that names the file of a secret. */
export const fileVariable = (name: string): string => `${name}_FILE`

const textOf = (source: Source, name: string): string => source[name]?.trim() ?? ''

/** The text of a file, or the reason why it cannot be used. */
function readSecret(file: string): { readonly text: string } | { readonly fault: string } {
  try {
    const text = fs.readFileSync(file, 'utf8').trim()
    return text === '' ? { fault: 'is empty' } : { text }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return { fault: `cannot be read (${code})` }
  }
}

/**
 * The variables with the contents of the files that NAME_FILE names, without white space around them. Adds a fault for a
 * file that cannot be read, and for a secret that is given twice.
 */
export function withSecretFiles(source: Source, wrong: string[]): Record<string, string | undefined> {
  const complete = { ...source }
  for (const name of secretNames) {
    const variable = fileVariable(name)
    const file = textOf(source, variable)
    if (file === '') continue
    if (textOf(source, name) !== '') {
      wrong.push(`${name} and ${variable} are both set; remove one of them.`)
      continue
    }
    const read = readSecret(file)
    if ('text' in read) complete[name] = read.text
    else wrong.push(`${variable}: the file ${JSON.stringify(file)} ${read.fault}.`)
  }
  return complete
}
