// Updates the table in docs/configuration.md from the variables that the server reads: `npm run
// docs:configuration`.
import fs from 'node:fs'
import path from 'node:path'
import { variables } from '../api/src/config/env-variables.ts'

export const page = path.join(import.meta.dirname, '../docs/configuration.md')

const table = /(<!-- configuration -->\n).*?(<!-- end of configuration -->)/s

const cell = (text: string) => text.replaceAll('|', '\\|')

function configuration(): string {
  const rows = Object.entries(variables).map(
    ([name, { meaning, expected, default: byDefault, secret }]) =>
      `| \`${name}\`${secret ? ', or a file' : ''} | ${cell(meaning)} | ${cell(expected)} | ${cell(byDefault)} |`,
  )
  return ['| Variable | Meaning | Takes | Default |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The page with the updated table. */
export function withConfiguration(text: string): string {
  if (!table.test(text)) throw new Error('docs/configuration.md has lost the marks around its configuration.')
  return text.replace(table, (_, start: string, end: string) => `${start}\n${configuration()}\n\n${end}`)
}

if (import.meta.main) fs.writeFileSync(page, withConfiguration(fs.readFileSync(page, 'utf8')))
