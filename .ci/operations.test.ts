import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { variables } from '../api/src/config/env-variables.ts'
import { fileVariable, secretNames } from '../api/src/config/secret-files.ts'
import { withClient } from '../api/src/platform/db/client.ts'
import { scrape, testApp } from '../api/test/support/app.ts'
import { testDatabase } from '../api/test/support/database.ts'
import { temporaryFolder } from '../api/test/support/temporary.ts'
import { alertTopic } from '../contract/src/rules/alert-topics.ts'
import { deskRoutes } from '../web/src/desk/routes.ts'

// What the pages for operators name has to exist, because operators type it in.
const root = path.join(import.meta.dirname, '..')
const pages = ['docs/operations.md', ...fs.globSync('docs/operations/*.md', { cwd: root })]
const textOf = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const namesIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([whole, name]) => String(name ?? whole))),
]

/** Variables of other programs: of Node, of OpenTelemetry's packages, of compose.yaml and of engines; and a placeholder. */
const ofOthers = [
  'NODE_EXTRA_CA_CERTS',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'POSTGRES_PASSWORD',
  'PORTICO_HOST',
  'ENGINE_SECRET',
  'NAME_FILE',
]
const known = new Set([...Object.keys(variables), ...secretNames.map(fileVariable), ...ofOthers])

test.each(pages)('the variables of %s exist', (file) => {
  const named = namesIn(textOf(file), /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b(?!_)/g)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

test.each(pages)('the headings that %s leads to exist', (file) => {
  const links = [...textOf(file).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
  const missing = links.filter(([, page, heading]) => {
    const there = page ? path.join(path.dirname(file), page) : file
    return !namesIn(textOf(there), /^#+ (.*)$/gm)
      .map(slugOf)
      .includes(String(heading))
  })
  expect(missing.map(([link]) => link)).toEqual([])
})

test('the pages of the desk that the pages for operators name exist', () => {
  const paths = new Set(Object.values(deskRoutes).map(({ path: at }) => at.replace(/^\/$/, '')))
  const named = pages.flatMap((file) => namesIn(textOf(file), /`\/desk((?:\/[\w-]+)*)`/g))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !paths.has(name))).toEqual([])
})

const { pool, connection } = await testDatabase()
const { app } = await testApp(pool)

test('the metrics and alerts that the pages for operators name exist', async () => {
  const text = pages.map(textOf).join('\n')
  const { body } = await app.inject(scrape)
  const declared = namesIn(body, /^# TYPE (\w+)/gm)
  expect(
    namesIn(text, /\b(?:portico|http)_\w+(?!\w|\()/g).filter((name) => !declared.includes(name)),
  ).toEqual([])
  const { groups } = z
    .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string() })) })) })
    .parse(parse(textOf('deploy/prometheus/rules.yml')))
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  expect(namesIn(text, /\bPortico[A-Z]\w+/g).filter((name) => !alerts.includes(name))).toEqual([])
})

test('the alerts of staff that the page about watching names exist', () => {
  const [, section = ''] = textOf('docs/operations/watch.md').split('## Alerts')
  const named = namesIn(section, /`((?!portico_)[a-z]+_[a-z_]+)`/g)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => alertTopic(name) === 'other')).toEqual([])
})

/** Statements of other programs, which read the archives. */
const ofOtherPrograms = /read_parquet|file\('usage/

test('the SQL of the pages for operators runs', async () => {
  const blocks = pages.flatMap((file) => namesIn(textOf(file), /```sql\n(.*?)```/gs))
  const own = blocks.filter((block) => !ofOtherPrograms.test(block))
  expect(own.length).toBeGreaterThan(3)
  await withClient(connection, async (client) => {
    for (const block of own) {
      await client.query('begin')
      const run = client.query(block.replaceAll(/^(?:begin|commit);$/gm, ''))
      await expect(run, block).resolves.toBeDefined()
      await client.query('rollback')
    }
  })
})

/** The block of a page that begins with this line. */
function blockOf(page: string, first: string): string {
  const found = namesIn(textOf(page), /```\w*\n(.*?)```/gs).find((block) => block.startsWith(first))
  if (found === undefined) throw new Error(`${page} has no block that begins with "${first}".`)
  return found
}

function written(name: string, text: string): string {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const file = path.join(folder, name)
  fs.writeFileSync(file, text)
  return file
}

const hasHaproxy = spawnSync('haproxy', ['-v']).error === undefined

test.skipIf(!hasHaproxy)('HAProxy takes its configuration', () => {
  const file = written('haproxy.cfg', blockOf('docs/operations/fail-over.md', 'defaults'))
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/warning|alert/i)])
})

test('PgBouncer listens where DATABASE_URL leads to, for more clients than ten replicas have', () => {
  const ini = blockOf('docs/operations/fail-over.md', '[databases]')
  const settings = new Map(
    namesIn(ini, /^(\w+ = .*)$/gm).map((line) => line.split(' = ') as [string, string]),
  )
  expect(textOf('docs/operations/fail-over.md')).toContain(`@${settings.get('listen_addr')}:6432/portico`)
  expect(Number(settings.get('max_client_conn'))).toBeGreaterThan(100)
})

test('behind PgBouncer the portal finds the primary that was promoted', () => {
  const page = textOf('docs/operations/fail-over.md')
  const [bound] = namesIn(blockOf('docs/operations/fail-over.md', 'defaults'), /bind (\S+)/g)
  const [host, port] = bound?.split(':') ?? []
  expect(blockOf('docs/operations/fail-over.md', '[databases]')).toContain(`host=${host} port=${port}\n`)
  const servers = namesIn(page, /^ {2}server \w+ (\S+) check/gm)
  expect(servers.length).toBeGreaterThan(1)
  expect(page).toContain(
    `DATABASE_DIRECT_URL='postgres://portico:…@${servers.join(',')}/portico?target_session_attrs=read-write'`,
  )
})
