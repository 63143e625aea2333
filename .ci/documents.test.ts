import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { page, withConfiguration } from './configuration.ts'

const root = path.join(import.meta.dirname, '..')
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...fs.globSync('docs/**/*.md', { cwd: root }),
  'engines/example/README.md',
]
const textOf = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

test('the table of configuration describes the variables that the server reads', () => {
  const text = fs.readFileSync(page, 'utf8')
  expect(withConfiguration(text), 'run `npm run docs:configuration`').toBe(text)
})

test('every decision is in the list of decisions', () => {
  const pages = fs.readdirSync(path.join(root, 'docs/decisions')).filter((file) => /^\d/.test(file))
  const listed = [...textOf('docs/decisions/README.md').matchAll(/\]\((\d[^)]*)\)/g)].map(([, file]) => file)
  expect(listed).toEqual(pages.sort())
})

test.each(documents)('the links of %s lead somewhere', (file) => {
  const links = [...textOf(file).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, link]) =>
    String(link),
  )
  const folder = path.dirname(path.join(root, file))
  expect(links.filter((link) => !fs.existsSync(path.join(folder, link)))).toEqual([])
})

test.each(documents)('the commands of %s exist', (file) => {
  // Every package.json has this shape.
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  const named = [...textOf(file).matchAll(/npm run ([\w:-]+)(?![\w:-]| -w)/g)].map(([, name]) => String(name))
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test.each(documents)('the files that %s names exist', (file) => {
  const named = [...textOf(file).matchAll(/`((?:contract|api|web|e2e|bench|deploy|\.ci)\/[\w./-]+\.\w+)`/g)]
  const run = textOf(file).matchAll(/\bnode (api\/[\w./-]+\.ts)/g)
  expect(
    [...named, ...run]
      .map(([, name]) => String(name))
      .filter((name) => !fs.existsSync(path.join(root, name))),
  ).toEqual([])
})
