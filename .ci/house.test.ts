import { expect, test } from 'vitest'
import { fileViolations } from './house.ts'
import { treeViolations } from './tree-rules.ts'

const rulesBroken = (file: string, text: string) => fileViolations(file, text).map(({ rule }) => rule)
const source = 'api/src/platform/db/example.ts'

const migration = 'api/src/platform/db/migrations/0114-a.sql'
const ofKind = 'a migration names its kind'
const onlyAdds = 'an expand only adds'
const oneHome = 'one home of the settings of staff'

const twelveLines = 'f(1)\n'.repeat(12)
const forced = 'no `as never` or `as unknown as` without a reason'

test.each([
  ['a forced type', source, 'export const a = b as never', forced],
  ['a type forced through unknown', source, 'export const a = b as unknown as string', forced],
  ['a reason far above', source, `// Why.\n${twelveLines}f(b as never)`, forced],
  [
    'an inline import of a type',
    source,
    "export type A = import('./b.ts').B",
    'no inline import() of a type',
  ],
  ['a file that passes another on', source, "export { a } from './b.ts'", 'no barrels'],
  ['a file that passes a type on', source, "export type { A } from './b.ts'", 'no barrels'],
  ['a file that passes all on', source, "export * from './b.ts'", 'no barrels'],
  [
    'an import that climbs out of its folder',
    'api/src/money/a.ts',
    "import { b } from '../usage/b.ts'",
    'no climb out of a folder',
  ],
  ['a verb that reads the clock', 'api/src/tickets/a.ts', 'f(new Date())', 'one clock'],
  ['a job that reads the clock', 'api/src/platform/jobs/a.ts', 'f(Date.now())', 'one clock'],
  [
    'a verb of staff that begins a transaction',
    'api/src/desk/verbs/a.ts',
    'f(db.transaction())',
    'one transaction of a request',
  ],
  ['a link by path', 'web/src/screens/a.tsx', 'f(<a href="/tickets" />)', 'no URL of ours outside routes.ts'],
  ['a redirect by path', 'web/src/api/a.ts', "f({ to: '/login' })", 'no URL of ours outside routes.ts'],
  [
    'a type in a file of another name',
    'contract/src/resources/ticket.ts',
    "resource('tickets', {})",
    'a type is declared in the file of its name',
  ],
  [
    'a test that expects nothing',
    'api/src/a.test.ts',
    "test('a', () => { f() })",
    'no test without an assertion',
  ],
  ['a browser test by class', 'e2e/a.spec.ts', "page.locator('.button')", 'found by role, label and text'],
  ['a browser test by test id', 'e2e/a.spec.ts', "page.getByTestId('a')", 'found by role, label and text'],
  ['a comment that just ends', source, '// The provider retries for three days', 'sentences'],
  [
    'a docstring that just ends',
    source,
    '/** Ends the server of a test\n * run that was killed */\nf()',
    'sentences',
  ],
  [
    'a balance that is a float',
    'api/src/platform/db/migrations/1.sql',
    'create table a (\n  balance float8)',
    'no float money',
  ],
  [
    "PostgreSQL's own money",
    'api/src/platform/db/migrations/1.sql',
    'create table a (b money)',
    'no float money',
  ],
  ['a query of all columns', source, "db.selectFrom('a').selectAll()", 'columns are named'],
  ['a write that answers with all columns', source, "db.insertInto('a').returningAll()", 'columns are named'],
  ['SQL of all columns', source, 'sql`select * from a`', 'columns are named'],
  ['SQL of all columns of one table', source, 'sql`select b.id, a.* from a join b`', 'columns are named'],
  ['SQL of all columns and more', source, "f('select *, count(*) over () from a')", 'columns are named'],
  ['SQL that answers with all columns', source, 'sql`delete from a returning *`', 'columns are named'],
  [
    'SQL that reads the action of staff by its setting',
    'api/src/money/a.ts',
    "sql`select id from a where id = current_setting('portico.action')::bigint`",
    oneHome,
  ],
  [
    'SQL that reads it among values',
    'api/src/money/a.ts',
    `f(sql\`update a set b = \${b} where id = current_setting('portico.action')::bigint\`)`,
    oneHome,
  ],
  [
    'a transaction that names its member of staff by the setting',
    'api/src/money/a.ts',
    "setForTransaction(tx, 'portico.staff', '1')",
    oneHome,
  ],
  ['a migration of no kind', migration, 'create table a ()', ofKind],
  ['an expand that drops a column', migration, '-- expand\nalter table a drop column b', onlyAdds],
  ['an expand that drops a table', migration, '-- expand\ndrop table if exists a', onlyAdds],
  ['an expand that allows null', migration, '-- expand\nalter table a alter b drop not null', onlyAdds],
  [
    'an expand that allows null, and says nothing after the name of its reason',
    migration,
    '-- expand\n-- Older versions read null: \nalter table a alter b drop not null',
    onlyAdds,
  ],
  ['an expand that drops a default', migration, '-- expand\nalter table a alter b drop default;', onlyAdds],
  ['an expand that drops a rule', migration, '-- expand\nalter table a drop constraint b', onlyAdds],
  ['an expand that drops in a block', migration, '-- expand\ndo $$ begin\ndrop index a;\nend $$', onlyAdds],
  ['an expand that renames', migration, '-- expand\nalter table a rename b to c', onlyAdds],
  ['an expand that changes a type', migration, '-- expand\nalter table a alter b type int8', onlyAdds],
  [
    'an expand with set data type',
    migration,
    '-- expand\nalter table a alter column b\nset data type int8',
    onlyAdds,
  ],
  ['an expand that refuses null', migration, '-- expand\nalter table a alter b set not null', onlyAdds],
  [
    'an expand with a column to fill',
    migration,
    '-- expand\nalter table a add b numeric(4, 2) not null',
    onlyAdds,
  ],
  ['a long file of tests', 'api/src/a.test.ts', `f(\`${'a\n'.repeat(500)}\`)\n`, 'tests are short'],
  ['a file that is no TypeScript', source, 'export const = 1', 'is parsed'],
])('%s is refused', (_, file, text, rule) => {
  expect(rulesBroken(file, text)).toEqual([rule])
})

test.each([
  ['an assertion', source, 'export const a = b as string'],
  ['a forced type with its reason above', source, '// Why.\nexport const a = b as never'],
  ['a forced type with its reason on the line', source, 'export const a = b as never // Why.'],
  ['an import by its subpath', 'api/src/money/a.ts', "import { b } from '#usage/b.ts'"],
  ['an assertion to const', source, 'export const a = [1] as const'],
  ['the registries', 'api/src/start/registry.ts', "export { a } from './a.ts'"],
  ['a part of a package by our name', 'web/src/ui/icons.ts', "export { X as IconClose } from 'icons'"],
  ['a provider that reads the clock', 'api/src/money/payments/providers/a.ts', 'f(Date.now())'],
  ['a moment of the past', 'api/src/money/a.ts', 'f(new Date(0))'],
  ['a link by name', 'web/src/screens/a.tsx', "f(<a href={href('tickets')} />)"],
  ['a link to elsewhere', 'web/src/screens/a.tsx', 'f(<a href="https://example.com" />)'],
  ['the routes', 'web/src/routes.ts', "f({ to: '/login' })"],
  ['a type in its file', 'contract/src/resources/tickets.ts', "resource('tickets', {})"],
  ['a test that expects', 'api/src/a.test.ts', "test('a', () => { expect(f()).toBe(1) })"],
  ['a test by a helper that expects', 'api/src/a.test.ts', "test('a', async () => { await expectKept(f) })"],
  ['a property', 'api/src/a.test.ts', "test('a', () => { fc.assert(f()) })"],
  ['a browser test by role', 'e2e/a.spec.ts', "page.getByRole('button')"],
  ['the theme of a page', 'e2e/a.spec.ts', "page.locator('html')"],
  ['a label', source, '// PostgreSQL errors\nf()'],
  ['a sentence on two lines', source, '// The provider retries\n// for three days.\nf()'],
  ['a word to a tool', source, '// biome-ignore lint/a/b: it is wrong here\nf()'],
  ['a list of columns', source, "db.selectFrom('a').select(columns.a)"],
  [
    'all columns inside of a query',
    source,
    'sql`select id from (select * from a) b where (select count(*) from c) > 1`',
  ],
  ['a product in SQL', source, 'sql`select a.net * a.rate as sum from a`'],
  ['a file of tests with as many lines as may be', 'api/src/a.test.ts', `f(\`${'a\n'.repeat(499)}\`)\n`],
  ['all columns in a test', 'api/src/a.test.ts', "db.selectFrom('a').selectAll()"],
  [
    'the home of the settings of staff',
    'api/src/platform/db/settings.ts',
    "sql`current_setting('portico.action')`",
  ],
  ['a setting of staff in a test', 'api/src/a.test.ts', "f('portico.staff')"],
  ['another name that begins alike', source, "f('portico.actions')"],
  ['a measure that is a float', 'api/src/platform/db/migrations/1.sql', 'create table a (memory_gb float8)'],
  ['a contract', migration, '-- contract\nalter table a drop column b, alter c set not null'],
  ['an expand with a word in a comment', migration, "-- expand: no drop column b.\nselect 'drop table a'"],
  ['a column with a default', migration, "-- expand\nalter table a add b numeric(4, 2) not null default '1'"],
  ['a new table with columns to fill', migration, '-- expand\ncreate table a (b int not null)'],
  [
    'a rule that is replaced',
    migration,
    "-- expand\nalter table a drop constraint b_check, add constraint b_check check (b in ('c', 'd'))",
  ],
  [
    'null where older versions read it',
    migration,
    '-- expand\n-- Older versions read null: they compare it.\nalter table a alter b drop not null',
  ],
  ['an index that is replaced', migration, '-- expand\ndrop index a;\ncreate unique index a on b (c)'],
  [
    'a table for one transaction',
    migration,
    '-- expand\ncreate temporary table a on commit drop as select 1',
  ],
  ['a migration from before', 'api/src/platform/db/migrations/0077-a.sql', 'drop index a'],
  ['a word in a comment', 'api/src/platform/db/migrations/1.sql', '-- Real money.\ncreate table a (b int)'],
])('%s is let through', (_, file, text) => {
  expect(rulesBroken(file, text)).toEqual([])
})

test('a violation says where it is', () => {
  const text = `${twelveLines}f(b as never)\n`
  expect(fileViolations(source, text)).toMatchObject([{ path: source, line: 13 }])
})

test('folders are neither deep nor full, and numbered files have one number each', () => {
  const files = [
    'web/src/screens/tickets/message.tsx',
    'web/src/screens/tickets/messages/message.tsx',
    'web/src/screens/tickets/messages/parts/message.tsx',
    'web/src/components/tickets/messages/message.tsx',
    'api/src/platform/db/migrations/0001-settings.sql',
    'api/src/platform/db/migrations/0001-clients.sql',
    'api/src/platform/db/migrations/0002_clients.sql',
    'docs/decisions/0001-rows.md',
    'api/src/attic/box.ts',
    'api/src/money/a/b/c/d/deep.ts',
    ...Array.from({ length: 17 }, (_, at) => `api/src/usage/part-${at}.ts`),
    'api/src/usage/part-1.test.ts',
    ...Array.from({ length: 17 }, (_, at) => `web/src/ui/part-${at}.tsx`),
    ...Array.from({ length: 17 }, (_, at) => `contract/src/resources/type-${at}.ts`),
    ...Array.from({ length: 16 }, (_, at) => `contract/src/rules/rule-${at}.ts`),
    'contract/src/rules/rule-1.test.ts',
  ]
  expect(treeViolations(files).map(({ path, rule }) => [path, rule])).toEqual([
    ['web/src/screens/tickets/messages/parts/message.tsx', 'depth'],
    ['web/src/components/tickets/messages/message.tsx', 'depth'],
    ['api/src/money/a/b/c/d/deep.ts', 'depth'],
    ['api/src/attic/box.ts', 'in a room'],
    ['api/src/usage', 'one subject a folder'],
    ['web/src/ui', 'one subject a folder'],
    ['api/src/platform/db/migrations/0002_clients.sql', 'numbered'],
    [
      'api/src/platform/db/migrations/0001-settings.sql, api/src/platform/db/migrations/0001-clients.sql',
      'numbered',
    ],
  ])
})
