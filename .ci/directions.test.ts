import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { cruise } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import directions, { rooms } from './directions.ts'

const root = path.join(import.meta.dirname, '..')

/**
 * A tree in which every import is wrong except those that `fine` lists. Each file imports the one listed with
 * it.
 */
const wrong: readonly (readonly [from: string, to: string, rule: string])[] = [
  ['contract/src/a.ts', 'api/src/platform/errors/x.ts', 'contract-is-pure'],
  ['contract/src/b.ts', 'node:fs', 'contract-is-pure'],
  ['contract/src/c.ts', 'kysely', 'contract-is-pure'],
  ['contract/src/d.ts', 'zod', 'contract-is-pure'],
  ['api/src/platform/errors/a.ts', 'zod', 'api-platform-errors-is-pure'],
  ...rooms.map(
    (room) => [`api/src/${room}/up.ts`, 'api/src/start/x.ts', `api-${room}-imports-downwards`] as const,
  ),
  ['api/src/platform/db/a.ts', 'api/src/money/x.ts', 'api-platform-imports-downwards'],
  ['api/src/sharing/a.ts', 'api/src/workspaces/x.ts', 'api-sharing-imports-downwards'],
  ['api/src/usage/a.ts', 'api/src/money/ledger/x.ts', 'api-usage-imports-downwards'],
  ['api/src/money/ledger/a.ts', 'api/src/money/invoices/x.ts', 'api-money-ledger-knows-only'],
  ['api/src/money/a.resource.ts', 'api/src/platform/db/x.ts', 'api-bindings-write-no-statements'],
  [
    'api/src/money/payments/a.ts',
    'api/src/money/payments/providers/stripe/x.ts',
    'api-providers-are-handed-in',
  ],
  ['web/src/texts/a.ts', 'web/src/api/x.ts', 'web-texts-is-pure'],
  ['web/src/ui/a.ts', 'web/src/texts/x.ts', 'web-ui-knows-nothing-of-us'],
  ['web/src/ui/b.ts', 'contract/src/x.ts', 'web-ui-knows-nothing-of-us'],
  ['web/src/stores/a.ts', 'web/src/api/x.ts', 'web-stores-knows-only'],
  ['web/src/api/a.ts', 'web/src/components/x.ts', 'web-api-knows-only'],
  ['web/src/components/a.ts', 'web/src/main.ts', 'web-components-knows-only'],
  ['web/src/screens/a.ts', 'web/src/main.ts', 'web-screens-knows-only'],
  ['web/src/desk/a.ts', 'web/src/routes.ts', 'web-desk-knows-only'],
  ['web/src/desk/b.ts', 'web/src/screens/x.ts', 'web-desk-knows-only'],
  ['web/src/components/desk.ts', 'web/src/desk/x.ts', 'web-nothing-knows-the-desk'],
  ['web/src/screens/b.ts', 'web/src/screens/x.ts', 'no-screen-knows-another'],
  ['web/src/screens/c/part.ts', 'web/src/screens/x.ts', 'no-screen-knows-another'],
  ['web/src/screens/sharing/d.ts', 'web/src/screens/sharing/x.ts', 'no-screen-knows-another'],
  ['web/src/shell.ts', 'web/src/screens/x.ts', 'screens-are-loaded-lazily'],
  ['web/src/shell2.ts', 'api/src/platform/errors/x.ts', 'never-sideways'],
  ['api/src/start/shell.ts', 'web/src/texts/x.ts', 'never-sideways'],
  ['e2e/a.ts', 'api/src/platform/errors/x.ts', 'e2e-knows-only-links-and-words'],
  ['e2e/b.ts', 'web/src/api/x.ts', 'e2e-knows-only-links-and-words'],
  ['engines/example/a.ts', 'contract/src/x.ts', 'engines-example-knows-only'],
  ['engines/debian/a.ts', 'engines/example/x.ts', 'engines-debian-knows-only'],
  ['engines/check/a.ts', 'engines/example/x.ts', 'engines-check-knows-only'],
  ['api/src/start/shell2.ts', 'api/test/support/x.ts', 'sources-never-know-tests'],
  ['api/src/start/loop-a.ts', 'api/src/start/loop-b.ts', 'no-cycles'],
  ['api/src/start/lost.ts', './nowhere.ts', 'everything-resolves'],
  ['api/src/start/undeclared.ts', 'undeclared', 'packages-are-declared'],
  ['api/src/start/tools.ts', 'tools', 'the-server-needs-no-tools'],
]

const fine: readonly (readonly [from: string, to: string])[] = [
  ['contract/src/fine.ts', 'zod/mini'],
  ['contract/src/fine2.ts', 'contract/src/x.ts'],
  ['api/src/tickets/fine.ts', 'api/src/money/x.ts'],
  ['api/src/tickets/fine.ts', 'contract/src/x.ts'],
  ['api/src/sharing/fine.test.ts', 'api/src/demo/x.ts'],
  ['api/src/sharing/fine2.test.ts', 'api/test/support/x.ts'],
  ['api/src/start/fine.ts', 'api/src/identity/x.ts'],
  ['api/src/commands/fine.ts', 'api/src/money/payments/providers/stripe/x.ts'],
  ['web/src/screens/fine.ts', 'web/src/components/x.ts'],
  ['web/src/screens/fine/part.ts', 'web/src/screens/fine/other.ts'],
  ['e2e/fine.ts', 'web/src/texts/x.ts'],
  ['web/src/screens/built.ts', 'tools'],
]

let found: string[]
const here = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-directions-'))

function write(file: string, text: string): void {
  const at = path.join(here, file)
  fs.mkdirSync(path.dirname(at), { recursive: true })
  fs.writeFileSync(at, text)
}

function importOf(from: string, to: string): string {
  const isFile = to.includes('/src/') || /^(api\/test|engines)\//.test(to)
  const specifier = isFile ? path.relative(path.dirname(from), to).replace(/^(?!\.)/, './') : to
  return `import { v } from '${specifier}'\nexport const w = v\n`
}

beforeAll(async () => {
  for (const name of ['zod', 'kysely', 'undeclared', 'tools']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }))
    write(`node_modules/${name}/index.js`, 'export const v = 1\n')
  }
  write('node_modules/zod/mini/index.js', 'export const v = 1\n')
  write(
    'package.json',
    JSON.stringify({
      name: 'house',
      dependencies: { zod: '1', kysely: '1' },
      devDependencies: { tools: '1' },
    }),
  )
  for (const [from, to] of [...wrong, ...fine]) {
    if (to.includes('/') && to.endsWith('.ts') && !to.startsWith('.')) write(to, 'export const v = 1\n')
    write(from, importOf(from, to))
  }
  write('api/src/start/loop-b.ts', importOf('api/src/start/loop-b.ts', 'api/src/start/loop-a.ts'))
  // An orphan, a type import from a forbidden folder, and a lazy screen.
  write('api/src/start/alone.ts', 'export const v = 1\n')
  write('api/src/platform/errors/typed.ts', "import type { v } from '../db/x.ts'\nexport type W = typeof v\n")
  write(
    'api/src/money/typed.resource.ts',
    "import type { v } from '../platform/db/x.ts'\nexport type W = typeof v\n",
  )
  write('web/src/routes.ts', "export const screen = () => import('./screens/linking.ts')\n")
  write('web/src/screens/linking.ts', importOf('web/src/screens/linking.ts', 'web/src/routes.ts'))
  const options = {
    ...directions.options,
    ruleSet: { forbidden: directions.forbidden },
    validate: true,
    baseDir: here,
  }
  const { output } = await cruise(['contract', 'api', 'web', 'e2e', 'engines'], options)
  if (typeof output === 'string') throw new Error(output)
  found = output.summary.violations.map(({ from, rule }) => `${from} ${rule.name}`)
})

afterAll(() => fs.rmSync(here, { recursive: true, force: true }))

test.each(wrong)('%s may not import %s', (from, _, rule) => {
  expect(found).toContain(`${from} ${rule}`)
})

test('an import of a mere type is an import', () => {
  expect(found).toContain('api/src/platform/errors/typed.ts api-platform-errors-is-pure')
  expect(found).not.toContain('api/src/money/typed.resource.ts api-bindings-write-no-statements')
})

test('a file that stands alone is found', () => {
  expect(found).toContain('api/src/start/alone.ts no-orphans')
})

const lazily = ['web/src/routes.ts', 'a screen lazily, which may link back'] as const

test.each([...fine, lazily])('%s may import %s', (from) => {
  expect(found.filter((line) => line.startsWith(`${from} `))).toEqual([])
})

test('each rule was seen to fail', () => {
  const seen = new Set(found.map((line) => line.split(' ')[1]))
  expect(directions.forbidden.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([])
})

test('the sources of this house are read, those of mere types too', async () => {
  const { output } = await cruise(['contract/src'], { ...directions.options, baseDir: root })
  if (typeof output === 'string') throw new Error(output)
  const registry = output.modules.find(({ source }) => source === 'contract/src/index.ts')
  expect(registry?.dependencies.map(({ resolved }) => resolved)).toContain('contract/src/jsonapi.ts')
})
