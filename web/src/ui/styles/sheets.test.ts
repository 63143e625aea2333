import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const sources = path.resolve(import.meta.dirname, '../..')
const sheets = path.resolve(sources, '../../node_modules/@mantine/core/styles')

const files = fs
  .readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => path.join(sources, file))

const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(([, from = '']) => from)

/** The style sheets that a file imports itself, or by a list of this folder. */
function sheetsOf(file: string): string[] {
  return importsOf(fs.readFileSync(file, 'utf8')).flatMap((from) => {
    const [, sheet] = /^@mantine\/core\/styles\/(\w+)\.layer\.css$/.exec(from) ?? []
    if (sheet !== undefined) return [sheet]
    return /\/styles\/[\w-]+\.ts$/.test(from) ? sheetsOf(path.resolve(path.dirname(file), from)) : []
  })
}

/** The components that a file takes from the library, by the names of their sheets. */
function componentsOf(file: string): string[] {
  const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(fs.readFileSync(file, 'utf8')) ?? []
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && fs.existsSync(path.join(sheets, `${name}.layer.css`)))
}

test('a file that shows a component of the library imports its style sheet, without which it has no size', () => {
  const always = sheetsOf(path.join(import.meta.dirname, 'first-paint.ts'))
  const unstyled = files.flatMap((file) =>
    componentsOf(file)
      .filter((name) => ![...always, ...sheetsOf(file)].includes(name))
      .map((name) => `${path.relative(sources, file)}: ${name}`),
  )
  expect(unstyled).toEqual([])
  expect(files.flatMap(componentsOf)).toContain('Radio')
})
