import fs from 'node:fs'
import { type RefusalCode, refusals } from '@portico/contract/refusals/index.ts'
import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import { expect, test } from 'vitest'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'
import { english, proseOf } from '#test/support/refusals-met.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
app.get<{ Params: { code: RefusalCode } }>('/api/test/refuse/:code', async ({ params: { code } }) => {
  const names = [...refusals[code][1].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = Object.fromEntries(names.map((name) => [name, 7]))
  throw new Problem({ code, parameters }, { meta: { ofTest: true } })
})

app.get<{ Querystring: { of: string } }>('/api/test/owner', async ({ query }) => {
  throw refuse('panels_add_not_allowed', { owner: JSON.parse(query.of) })
})

const codes = Object.entries(refusals)
const asked = (code: string, headers: Record<string, string>) =>
  app.inject({ url: `/api/test/refuse/${code}`, headers })

test.each(codes)('%s is answered in Romanian, without a word of English', async (code, [status, said]) => {
  const answer = await asked(code, { 'accept-language': 'ro-RO,ro;q=0.9,en;q=0.8' })
  const [refusal] = answer.json().errors
  expect([answer.statusCode, refusal.code]).toEqual([status, code])
  expect(proseOf(refusal.detail)).not.toMatch(english)
  expect(refusal.title).not.toMatch(english)
  expect(refusal.detail).not.toMatch(/\{\w+\}/)
  const plain = await asked(code, {})
  expect(plain.json().errors[0].detail).not.toBe(refusal.detail)
  expect(plain.json().errors[0].detail.startsWith(said.split('{', 1)[0])).toBe(true)
})

test('a sentence that starts with a type of person is capitalised, and a name stays as it is', async () => {
  const asks = async (owner: Parameter, language: string) => {
    const answer = await app.inject({
      url: `/api/test/owner?of=${encodeURIComponent(JSON.stringify(owner))}`,
      headers: { 'accept-language': language },
    })
    return answer.json().errors[0].detail
  }
  const unnamed = { en: 'the owner', ro: 'proprietarul' }
  expect(await asks(unnamed, 'en')).toBe('The owner has not allowed you to add panels.')
  expect(await asks(unnamed, 'ro')).toBe('Proprietarul nu ți-a permis să adaugi panouri.')
  expect(await asks('d’Artagnan', 'en')).toBe('d’Artagnan has not allowed you to add panels.')
})

test('the language is the one chosen in the browser, else that of the account, else what is accepted', async () => {
  await person(pool, 'ioana@example.test')
  const browser = new Browser(app)
  await browser.signIn('ioana@example.test')
  const token = browser.cookies.get('token')
  const says = async (headers: Record<string, string>) => {
    const authorization = `Bearer ${token}`
    const answer = await app.inject({ url: '/api/v1/projects/0', headers: { authorization, ...headers } })
    return answer.json().errors[0].detail
  }
  const [, en, ro] = refusals.not_found.map((sentence) => String(sentence).replace('{type}', 'projects'))
  expect(await says({})).toBe(ro)
  expect(await says({ 'accept-language': 'en' })).toBe(ro)
  expect(await says({ cookie: 'lang=en' })).toBe(en)
  expect(await says({ cookie: 'lang=ro', 'accept-language': 'en' })).toBe(ro)
  expect(await says({ cookie: 'lang=xx' })).toBe(ro)
})

test('an API key gets English, regardless of its owner’s language and the header', async () => {
  const { id } = await person(pool, 'program@example.test')
  const { secret } = await makeKey(pool, { client: id })
  const headers = { authorization: `Bearer ${secret}`, 'accept-language': 'ro', cookie: 'lang=ro' }
  const answer = await app.inject({ url: '/api/v1/projects/0', headers })
  expect(answer.json().errors[0].detail).toBe('There is no such resource in projects.')
})

test('each code is declared once', async () => {
  const folder = new URL('../../../../contract/src/refusals/', import.meta.url)
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  const tables = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, table]) => (name.endsWith('Refusals') ? [Object(table)] : [])),
  )
  const all = tables.flatMap((table) => Object.keys(table))
  expect(all.toSorted()).toEqual(Object.keys(refusals).toSorted())
})
