import fs from 'node:fs'
import path from 'node:path'
import { registry } from '@portico/contract/index.ts'
import type { Relationship, Resource } from '@portico/contract/jsonapi.ts'
import { refusals } from '@portico/contract/refusals/index.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../api/test/support/app.ts'
import { demoDatabase } from '../api/test/support/demo.ts'
import { newestLetter } from '../api/test/support/mail.ts'
import { startIssuer, throughIssuer } from '../api/test/support/oidc-issuer.ts'
import { Browser } from '../api/test/support/people.ts'
import { temporaryFolder } from '../api/test/support/temporary.ts'
import en from '../web/src/texts/en.json' with { type: 'json' }
import { compileTexts } from '../web/tools/texts.ts'
import { calls, type OutsideContext } from './seed/calls.ts'
import { constants } from './seed/constants.ts'
import { messages } from './seed/messages.ts'
import { type People, people } from './seed/people.ts'
import { accessOf, addressesOf, layoutsOf, pathOf, routes } from './seed/routes.ts'
import { makeMissing } from './seed/rows.ts'
import { countryEntries, permissionFields, types, userFields, workspaceEntryFields } from './seed/types.ts'

// Compares the original requirements, as tables, with the running portal. Every line must hold.

const root = path.join(import.meta.dirname, '..')

const web = temporaryFolder()
afterAll(web.remove)
fs.writeFileSync(
  path.join(web.folder, 'index.html'),
  '<!doctype html><html lang="en"><title>Portico</title></html>',
)
fs.writeFileSync(path.join(web.folder, 'pages.json'), JSON.stringify({ '*': { en: 'index.html' } }))
if (!fs.existsSync(path.join(root, 'web/src/texts/compiled/messages.js'))) compileTexts()
const { routes: ours } = await import('../web/src/routes.ts')

const issuer = await startIssuer()
afterAll(issuer.stop)
const { pool } = await demoDatabase()
const { app } = await testApp(pool, {
  webDist: web.folder,
  env: {
    seed: 'demo',
    rateLimitScale: 1000,
    googleIssuer: issuer.url,
    googleClientId: issuer.clientId,
    googleClientSecret: issuer.clientSecret,
  },
})
const everyone = await people(app)
await makeMissing(pool, everyone)

/** The number of lines of each table that held. */
const held = new Map<string, number>()
const tables = { routes, types: Object.keys(types), calls: Object.keys(calls), messages, constants }
afterAll(() => {
  const lines = Object.entries(tables).map(([name, all]) => `${held.get(name) ?? 0} of ${all.length} ${name}`)
  console.info(`The seed: ${lines.join(', ')}.`)
})
/** Counts a line that held. */
function holds(table: keyof typeof tables): number {
  const count = (held.get(table) ?? 0) + 1
  held.set(table, count)
  return count
}

describe('routes', () => {
  test('are 29, and each is in our table', () => {
    expect(routes).toHaveLength(29)
    expect(Object.keys(ours)).toEqual(expect.arrayContaining(routes.map(([name]) => name)))
  })

  test.each(routes)('%s', async (name, address, said) => {
    const route: { path: string; access: string; layout?: string; screen: unknown } = ours[name]
    expect(route).toMatchObject({
      path: pathOf(address),
      access: accessOf(said),
      screen: expect.any(Function),
    })
    expect(layoutsOf(said)).toContain(route.layout)
    for (const url of addressesOf(address)) {
      const answer = await app.inject({ url, headers: { accept: 'text/html' } })
      expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([
        url,
        200,
        'text/html; charset=utf-8',
      ])
    }
    holds('routes')
  })

  test('the team members screen is what share-access shows', () => {
    expect(String(ours['share-access'].screen)).toBe(String(ours['team-members'].screen))
  })
})

type Found = { id: string; attributes: Record<string, unknown>; relationships?: Record<string, unknown> }

/** A resource of a type as a person of the demo reads it, or one that is included in their reads. */
async function found(type: string, who: People): Promise<Found | undefined> {
  for (const browser of Object.values(who)) {
    const through = type === 'admins' ? 'ticket-messages?include=admin' : type
    const body = (await browser.get(`/api/v1/${through}`)).json()
    const all: (Found & { type: string })[] = [...(body.data ?? []), ...(body.included ?? [])]
    const one = all.find((resource) => resource.type === type)
    if (one) return one
  }
  return undefined
}

describe('types', () => {
  test('are 34', () => {
    expect(Object.keys(types)).toHaveLength(34)
  })

  test.each(Object.entries(types))('%s', async (type, { fields, relationships, id = 'integer' }) => {
    const declared: Resource | undefined = Object.values<Resource>(registry).find((one) => one.type === type)
    expect(declared?.id).toBe(id)
    const relations: Record<string, Relationship> = declared?.relationships ?? {}
    expect(Object.keys(declared?.attributes ?? {})).toEqual(expect.arrayContaining([...fields]))
    expect(Object.keys(relations)).toEqual(expect.arrayContaining([...relationships]))
    const one = await found(type, everyone)
    expect(one?.id, `nobody of the demo sees any of ${type}`).toMatch(id === 'text' ? /^\w+$/ : /^[1-9]\d*$/)
    expect(Object.keys(one?.attributes ?? {})).toEqual(expect.arrayContaining([...fields]))
    expect(Object.keys(one?.relationships ?? {})).toEqual(expect.arrayContaining([...relationships]))
    // The response has exactly the declared fields.
    expect(Object.keys(one?.attributes ?? {}).sort()).toEqual(Object.keys(declared?.attributes ?? {}).sort())
    holds('types')
  })

  test('the user has each field of the seed, full name and initials are made of the names', async () => {
    const user = (await everyone.ana.get('/api/user')).json()
    expect(Object.keys(user)).toEqual(expect.arrayContaining(userFields))
    const [invited] = (await everyone.ana.get('/api/v1/share-invitations')).json().data
    const { first_name, last_name, full_name, initials } = invited.attributes
    expect(full_name).toBe(`${first_name} ${last_name}`)
    expect(initials).toBe(`${first_name[0]}${last_name[0]}`)
  })

  test('a permission has its groups, and what is opened of each workspace', async () => {
    const all: Found[] = (await everyone.ana.get('/api/v1/share-permissions')).json().data
    const objects = all.map(({ attributes }) => attributes.permissions).filter((one) => one instanceof Object)
    const entries = objects.flatMap((one): unknown[] => Reflect.get(one, 'workspaces'))
    for (const one of objects) expect(Object.keys(one)).toEqual(expect.arrayContaining(permissionFields))
    expect(entries.length).toBeGreaterThan(0)
    for (const entry of entries)
      expect(Object.keys(entry ?? {})).toEqual(expect.arrayContaining(workspaceEntryFields))
  })

  test('the country list has about 240 entries', async () => {
    const { meta } = (await everyone.ana.get('/api/v1/countries?page[size]=1')).json()
    expect(Math.abs(meta.page.total - countryEntries)).toBeLessThan(20)
  })
})

describe('calls', () => {
  const outsideContext: OutsideContext = {
    ...everyone,
    stranger: () => new Browser(app),
    fromGoogle: async (browser) => {
      const { headers } = await browser.ask({ url: '/auth/google' })
      const back = await throughIssuer(String(headers.location), 'newcomer@example.test')
      return `/auth/google/callback${back.search}`
    },
    confirmation: async (email) => (await newestLetter(pool, email, 'verify-email')).link,
    invitation: async (email) =>
      (await newestLetter(pool, email, 'invitation')).link.replace('/invitation/', ''),
  }

  test.each(Object.entries(calls))('%s', async (_name, call) => {
    await call(outsideContext)
    expect(holds('calls')).toBeGreaterThan(0)
  })
})

function texts(): Map<string, string[]> {
  // Texts with plural forms are lists of parts, whose leaves are displayed.
  const leaves = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(leaves)
  return new Map(Object.entries(en).map(([key, value]) => [key, leaves(value)]))
}
const english = texts()

describe('messages', () => {
  test.each(messages)('$text', ({ text, refusal }) => {
    const keys = [...english].filter(([, values]) => values.includes(text)).map(([key]) => key)
    if (refusal === undefined) expect(keys, 'a text of the screens').not.toEqual([])
    else expect(refusals[refusal][1]).toBe(text)
    holds('messages')
  })
})

describe('constants', () => {
  const around = { app, pool }

  test.each(constants)('$name', async ({ holds: check }) => {
    await check(around)
    expect(holds('constants')).toBeGreaterThan(0)
  })
})
