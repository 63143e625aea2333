// Keeps the README's table of configuration equal to what the server reads: `npm run readme`.
import fs from 'node:fs'
import path from 'node:path'
import { variables } from '../api/src/config/env-variables.ts'

export const readme = path.join(import.meta.dirname, '../README.md')

const table = /(<!-- configuration -->\n).*?(<!-- end of configuration -->)/s

const cell = (text: string) => text.replaceAll('|', '\\|')

function configuration(): string {
  const rows = Object.entries(variables).map(
    ([name, { meaning, expected, default: byDefault }]) =>
      `| \`${name}\` | ${cell(meaning)} | ${cell(expected)} | ${cell(byDefault)} |`,
  )
  return ['| Variable | Meaning | Takes | Default |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The README with the table as it should be. */
export function withConfiguration(text: string): string {
  if (!table.test(text)) throw new Error('README.md has lost the marks around its configuration.')
  return text.replace(table, (_, start: string, end: string) => `${start}\n${configuration()}\n\n${end}`)
}

if (import.meta.main) fs.writeFileSync(readme, withConfiguration(fs.readFileSync(readme, 'utf8')))
