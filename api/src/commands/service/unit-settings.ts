import path from 'node:path'
import { fileVariable, secretNames, withSecretFiles } from '#config/secret-files.ts'

type ReadFile = (file: string) => string

/** The settings of a service, and the account that it runs as. */
export type UnitSettings = {
  readonly user: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

const joined = (text: string) => text.replaceAll(/\\\n/g, ' ')

/** The assignments of [Service] in order, of a unit and its drop-ins as `systemctl cat` prints them. */
function assignments(unit: string): [string, string][] {
  let section = ''
  return joined(unit)
    .split('\n')
    .flatMap((line): [string, string][] => {
      // A drop-in does not go on in the section of the file before it.
      if (/^# \/\S+\.(?:service|conf)$/.test(line)) section = ''
      section = /^\[(.*)\]\s*$/.exec(line)?.[1] ?? section
      const [, name, value = ''] = /^(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
      return section === 'Service' && name !== undefined ? [[name, value]] : []
    })
}

/** All values of a setting that is a list; an empty value removes those before it. */
function listOf(all: readonly [string, string][], name: string): string[] {
  const values = all.filter(([given]) => given === name).map(([, value]) => value)
  return values.slice(values.lastIndexOf('') + 1)
}

/** The words of a value, which may be quoted whole. */
const words = (value: string): string[] =>
  [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double?.replaceAll(/\\(.)/g, '$1') ?? single ?? bare ?? '',
  )

/** The value of a line of an EnvironmentFile, which no shell reads: a dollar or a bracket is itself. */
function plain(value: string): string {
  const [, double, single] = /^"((?:[^"\\]|\\.)*)"|^'([^']*)'/.exec(value) ?? []
  return double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? value.replaceAll(/\\(.)/g, '$1')
}

/** The variables of an EnvironmentFile, as systemd reads them. */
const environmentOf = (text: string): [string, string][] =>
  text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, name, value = ''] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
      return name === undefined ? [] : [[name, plain(value)]]
    })

/**
 * The settings of a service by its unit. A secret in a file, which may be a credential that only the service can read, is handed
 * on itself: `NAME_FILE=%d/id` as `NAME`. Adds the faults of `withSecretFiles`.
 */
export function settingsOf(unit: string, read: ReadFile, wrong: string[]): UnitSettings {
  const all = assignments(unit)
  const credentials = new Map(
    listOf(all, 'LoadCredential').map((one): [string, string] => {
      const [id = '', file = ''] = one.split(':')
      return [id, file]
    }),
  )
  const own = listOf(all, 'Environment')
    .flatMap(words)
    .flatMap((word): [string, string][] => {
      const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? []
      return name === undefined ? [] : [[name, value]]
    })
  const files = listOf(all, 'EnvironmentFile').flatMap((file) => environmentOf(read(file)))
  const given = [...own, ...files].map(([name, value]): [string, string] => {
    const file = value.startsWith('%d/') ? credentials.get(path.basename(value)) : undefined
    // One without a file cannot be read here, and is told as such.
    return [name, file || value]
  })
  const variables = withSecretFiles(Object.fromEntries(given), wrong)
  // The command would find each secret given twice.
  for (const name of secretNames) delete variables[fileVariable(name)]
  return { user: all.findLast(([name]) => name === 'User')?.[1] ?? 'portico', variables }
}
