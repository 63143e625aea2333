import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { variables } from '../api/src/config/env-variables.ts'
import { longestSilenceMs, longestStatementMs } from '../api/src/platform/http/connections/long-files.ts'
import { scrape, testApp } from '../api/test/support/app.ts'
import { testDatabase } from '../api/test/support/database.ts'
import { chartHash, objectsOf as chartObjects, faultsOf, renderChart, rendered } from './chart.ts'
import { chart, withVariables } from './configuration.ts'

const folder = path.join(import.meta.dirname, '../deploy')
const textOf = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8')

/** Whether a program is installed; the tests that need it say so when they are skipped. */
function installed(program: string): boolean {
  const found = spawnSync(program, ['--version']).error === undefined
  if (!found) console.log(`${program} is not installed, so deploy/ is only checked by its structure.`)
  return found
}

const alert = z.strictObject({
  alert: z.string().check(z.regex(/^Portico[A-Z]\w+$/)),
  expr: z.string(),
  for: z.string().check(z.regex(/^\d+[mhd]$/)),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket', 'info']) }),
  annotations: z.strictObject({ summary: z.string(), action: z.string() }),
})
const { groups } = z
  .strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(alert) })) })
  .parse(parse(textOf('prometheus/rules.yml')))
const rules = groups.flatMap((group) => group.rules)

const panel = z.object({
  id: z.number(),
  title: z.string(),
  targets: z.optional(z.array(z.object({ expr: z.string() }))),
})
const { panels } = z.object({ panels: z.array(panel) }).parse(JSON.parse(textOf('grafana/portico.json')))
const targets = panels.flatMap((one) => one.targets ?? [])

// Words of the query language and labels that look like names of metrics are none; those of the portal and of Node have a prefix.
const metric = /\b(?:portico|http|nodejs|process)_\w+/g
const named = (texts: readonly string[]) => [...new Set(texts.flatMap((text) => text.match(metric) ?? []))]

const { pool } = await testDatabase()
const { app } = await testApp(pool)
const declared = [...(await app.inject(scrape)).body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(
  ([, name = '', type]) => (type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : name),
)

test('every metric of the rules and of the dashboard is one of /metrics', () => {
  const used = named([...rules, ...targets].map(({ expr }) => expr))
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !declared.includes(name))).toEqual([])
})

test('every metric of the portal is in a rule or on the dashboard', () => {
  const used = named([...rules, ...targets].map(({ expr }) => expr))
  const ours = declared.filter((name) => name.startsWith('portico_'))
  expect(ours.length).toBeGreaterThan(15)
  expect(ours.filter((name) => !used.includes(name))).toEqual([])
})

test('the rules have names of their own, and the test of them knows only existing ones', () => {
  const names = rules.map((rule) => rule.alert)
  expect(new Set(names).size).toBe(names.length)
  const tested = [...textOf('prometheus/rules.test.yml').matchAll(/alertname: (\w+)/g)].map(
    ([, name]) => name,
  )
  expect(tested.length).toBeGreaterThan(10)
  expect(tested.filter((name) => !names.includes(String(name)))).toEqual([])
})

test('the panels of the dashboard have ids of their own', () => {
  const ids = panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test.skipIf(!installed('promtool'))('promtool accepts the rules, and their tests pass', () => {
  const cwd = path.join(folder, 'prometheus')
  for (const args of [
    ['check', 'rules', 'rules.yml'],
    ['test', 'rules', 'rules.test.yml'],
  ])
    expect(execFileSync('promtool', args, { cwd, encoding: 'utf8', stdio: 'pipe' })).toContain('SUCCESS')
})

test('the chart takes every variable that is no secret, and no other', () => {
  const parsed = JSON.parse(textOf('helm/values.schema.json'))
  const renewed = JSON.parse(withVariables(fs.readFileSync(chart, 'utf8')))
  expect(renewed, 'run `npm run docs:configuration`').toEqual(parsed)
})

/** Every object of the schema, with its place. */
function objectsOf(value: unknown, at = ''): [string, Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, one]) => objectsOf(one, `${at}/${key}`))
  return 'type' in value && value.type === 'object' ? [[at, { ...value }], ...inner] : inner
}

test('the schema of the chart refuses unknown keys everywhere', () => {
  const open = objectsOf(JSON.parse(textOf('helm/values.schema.json')))
    .filter(([, one]) => one.additionalProperties === undefined || one.additionalProperties === true)
    .map(([at]) => at)
  // Helm itself adds the values that charts share.
  expect(open).toEqual(['/properties/global'])
})

test('the chart is not installed without a place for files that outlives a pod', () => {
  const validate = new Ajv({ strict: false }).compile({
    ...JSON.parse(textOf('helm/values.schema.json')),
    // Helm's name of the draft is unknown here; it is the same draft.
    $schema: undefined,
  })
  const check = (one: unknown) => validate(one)
  const values = parse(textOf('helm/values.yaml'))
  const claim = (existingClaim: string) => ({ ...values, files: { existingClaim } })
  expect([values, { ...values, files: {} }, { ...values, env: { S3_ENDPOINT: '' } }].map(check)).toEqual([
    false,
    false,
    false,
  ])
  expect([claim('files'), { ...values, env: { S3_ENDPOINT: 'https://s3.example.com' } }].map(check)).toEqual([
    true,
    true,
  ])
})

const helm = (...args: string[]) => spawnSync('helm', args, { cwd: folder, encoding: 'utf8' })

test.skipIf(!installed('helm'))('helm renders the chart, and refuses a misspelt value', () => {
  const stored = ['--set', 'files.existingClaim=files']
  expect(helm('lint', '--strict', 'helm', ...stored).status).toBe(0)
  expect(helm('template', 'shop', 'helm').stderr).toContain('S3_ENDPOINT')
  const whole = [...stored, '--set', 'ingress.enabled=true,ingress.tlsSecret=tls,env.LOG_LEVEL=warn']
  const { stdout, stderr } = helm('template', 'shop', 'helm', ...whole)
  expect(stderr).toBe('')
  const kinds = stdout.match(/^kind: .*$/gm)?.map((line) => line.slice(6))
  expect(kinds?.sort()).toEqual([
    'Deployment',
    'Deployment',
    'Ingress',
    'Job',
    'PodDisruptionBudget',
    'Service',
  ])
  for (const part of stdout.split(/^---$/m)) expect(() => parse(part)).not.toThrow()
  expect(stdout.match(/name: WORKERS, value: "[01]"/g)).toEqual([
    'name: WORKERS, value: "0"',
    'name: WORKERS, value: "1"',
  ])
  expect(helm('template', 'shop', 'helm', ...stored, '--set', 'worker.replicas=0').stdout).toContain(
    'value: "1"',
  )
  for (const wrong of ['web.replica=3', 'env.LOG_LEVLE=warn', 'publicUrl=portal', 'env.TOKEN_SECRET=x'])
    expect(helm('template', 'shop', 'helm', ...stored, '--set', wrong).status, wrong).not.toBe(0)
})

test('Helm waits longer for a migration than its job may take', () => {
  const [, deadline] = /activeDeadlineSeconds: (\d+)/.exec(textOf('helm/templates/migrate.yaml')) ?? []
  expect(Number(deadline)).toBeGreaterThan(3 * 600)
  for (const page of ['install', 'upgrade']) {
    const [, minutes] = /--timeout (\d+)m/.exec(textOf(`../docs/operations/${page}.md`)) ?? []
    expect(Number(minutes) * 60, page).toBeGreaterThan(Number(deadline))
  }
})

test('what Helm makes of the chart is kept for those without Helm', () => {
  expect(fs.readFileSync(rendered, 'utf8'), 'run `npm run chart`').toContain(`of the chart ${chartHash()}\n`)
})

test.skipIf(!installed('helm'))('the kept objects are those that Helm makes', () => {
  expect(renderChart()).toBe(fs.readFileSync(rendered, 'utf8'))
})

test('Kubernetes knows every key and type of the chart, and the check finds what it would refuse', () => {
  const objects = chartObjects(fs.readFileSync(rendered, 'utf8'))
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'Deployment',
    'Deployment',
    'Ingress',
    'Job',
    'PodDisruptionBudget',
    'Service',
  ])
  expect(faultsOf(objects)).toEqual([])
  const deployments = JSON.stringify(objects.filter(({ kind }) => kind === 'Deployment').slice(0, 1))
  const wrongs: [string, string][] = [
    ['"readinessProbe"', '"readynessProbe"'],
    ['"periodSeconds":2', '"periodSeconds":"2"'],
    ['"name":"portal",', ''],
    ['"apps/v1"', '"apps/v2"'],
  ]
  for (const [right, wrong] of wrongs) {
    expect(deployments).toContain(right)
    expect(faultsOf(JSON.parse(deployments.replace(right, wrong))), wrong).not.toEqual([])
  }
})

test('the files for systemd, nginx and Caddy keep the limits of the portal', () => {
  const unit = textOf('systemd/portico.service')
  for (const line of ['KillMode=mixed', 'TimeoutStopSec=30', 'NoNewPrivileges=yes', 'ProtectSystem=strict'])
    expect(unit).toContain(`\n${line}\n`)
  const settings = textOf('systemd/portico.env').match(/^[A-Z_]+(?==)/gm) ?? []
  expect(settings.filter((name) => !(name in variables))).toEqual([])
  expect(textOf('nginx/portico.conf')).toContain('client_max_body_size 12m;')
  // Otherwise nginx answers 502 instead of what a busy replica says.
  expect(textOf('nginx/portico.conf')).toContain('server 127.0.0.1:3000 max_fails=0;')
  expect(textOf('nginx/portico.conf')).toContain('proxy_next_upstream error timeout;')
  expect(textOf('caddy/Caddyfile')).toContain('max_size 12MB')
  // Nobody chooses the id by which a request is found in the log.
  expect(textOf('nginx/portico.conf')).toContain(' proxy_set_header X-Request-Id $request_id;')
  expect(textOf('caddy/Caddyfile')).toContain('\theader_up X-Request-Id {http.request.uuid}\n')
  // They wait as long as the portal, which ends a statement sooner than a silent connection.
  expect(longestStatementMs).toBeLessThan(longestSilenceMs)
  const wait = `${longestSilenceMs / 1000}s`
  expect(textOf('nginx/portico.conf')).toContain(` proxy_read_timeout ${wait};`)
  expect(textOf('caddy/Caddyfile')).toContain(`\tresponse_header_timeout ${wait}\n`)
  expect(textOf('helm/values.yaml')).toContain(`proxy-read-timeout: "${longestSilenceMs / 1000}"`)
})

test.skipIf(!installed('systemd-analyze'))(
  'systemd knows every line of the unit, and keeps it from most of the machine',
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'unit-'))
    const verify = (text: string) => {
      const file = path.join(folder, 'portico.service')
      // The program of the unit has to exist.
      fs.writeFileSync(file, text.replaceAll('/opt/portico', path.join(import.meta.dirname, '..')))
      const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
      // Its exit code is 0 for unknown keys, and it looks at all units of the machine.
      return stderr.split('\n').filter((line) => line.includes('portico.service'))
    }
    const unit = textOf('systemd/portico.service')
    expect(verify(unit)).toEqual([])
    expect(verify(unit.replace('ProtectSystem=', 'ProtectSystme='))).toEqual([
      expect.stringContaining('Unknown'),
    ])
    expect(verify(unit)).toEqual([])
    // From 0 to 10, in tenths; a service without settings has 9.6.
    const security = ['security', '--offline=true', '--threshold=20', path.join(folder, 'portico.service')]
    expect(spawnSync('systemd-analyze', security).status).toBe(0)
    fs.rmSync(folder, { recursive: true })
  },
)
