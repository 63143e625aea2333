import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { type Model, modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served as ours } from '#start/registry.ts'
import { makeAccount } from '#test/support/account.ts'
import { library, prepareLibrary, stock } from '#test/support/library.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// A list costs one statement, and one more for each included type, however many rows it has. Only a path that returns to
// a type (panels.project.panels) may query it again, because the first answer leads to the second.

const served = [...Object.values(ours), ...library]
const models = modelsOf(served)
const portal = await testPortal({ served, prepare: prepareLibrary })
const small = await makeAccount(portal.pool, { projects: 3, panels: 2 })
const large = await makeAccount(portal.pool, { projects: 110, panels: 3 })
await stock(portal.pool, small.id, 3)
await stock(portal.pool, large.id, 150)

const staff = portal.staff(await makeAdmin(portal.pool, 'admin'))

let minutes = 0

/** Sends a read and returns the statements it took. The clock moves on, so that no document is remembered. */
async function statementsOf(url: string, account = large): Promise<{ statements: number; rows: number }> {
  minutes += 2
  portal.clock.time = new Date(Date.now() + minutes * 60_000)
  let statements = 0
  const stop = portal.pool.observe(() => {
    statements += 1
  })
  const type = url.slice(base.length + 1).split('?')[0] ?? ''
  const reader = models.get(type)?.binding.ofStaff ? staff : portal.as(account)
  const answer = await reader.get(url)
  stop()
  expect(answer.status, `${url}: ${answer.text.slice(0, 300)}`).toBe(200)
  return { statements, rows: answer.list.length + answer.included.length }
}

type Path = { readonly names: readonly string[]; readonly types: readonly string[] }

function paths(model: Model, depth: number, from: Path = { names: [], types: [] }): Path[] {
  if (depth === 0) return []
  return [...model.relations.values()].flatMap(({ name, target }) => {
    const path = { names: [...from.names, name], types: [...from.types, target.name] }
    return [path, ...paths(target, depth - 1, path)]
  })
}

test.each([...models.values()])('$name: a list is one statement, 25 rows or 100', async (model) => {
  for (const size of [1, 25, 100])
    expect((await statementsOf(`${base}/${model.name}?page[size]=${size}`)).statements).toBe(1)
})

test.each([...models.values()])(
  '$name: every include path is at most one more for each type in it',
  async (model) => {
    for (const one of paths(model, 3)) {
      const path = one.names.join('.')
      const few = await statementsOf(`${base}/${model.name}?page[size]=100&include=${path}`, small)
      const many = await statementsOf(`${base}/${model.name}?page[size]=100&include=${path}`)
      expect(many.statements, path).toBeLessThanOrEqual(1 + one.types.length)
      expect(few.statements, path).toBeLessThanOrEqual(many.statements)
    }
  },
)

test.each([...models.values()])('$name: so are all of its relationships together', async (model) => {
  const all = paths(model, 1)
  const include = all.map(({ names }) => names.join('.')).join()
  const { statements } = await statementsOf(`${base}/${model.name}?page[size]=100&include=${include}`)
  expect(statements, include).toBeLessThanOrEqual(1 + new Set(all.flatMap(({ types }) => types)).size)
})

test.each([...models.values()])(
  '$name: many paths are at most one for each type and level',
  async (model) => {
    // Two paths may meet two types in opposite order (project.client, client.projects): then one of them is read twice.
    const all = paths(model, 2).slice(0, 20)
    const levels = new Set(all.flatMap(({ types }) => types.map((type, level) => `${level} ${type}`)))
    const include = all.map(({ names }) => names.join('.')).join()
    const { statements } = await statementsOf(`${base}/${model.name}?page[size]=100&include=${include}`)
    expect(statements, include).toBeLessThanOrEqual(1 + levels.size)
  },
)

test('a guest’s lists, and what they include, take as many', async () => {
  const guest = await makeAccount(portal.pool, { projects: 1, panels: 1 })
  await portal.share(large, guest, { billing: 'allowed', add_panels: 'allowed' })
  const of = `filter[client_id]=${large.id}`
  const lists: [string, number][] = [
    [`panels?page[size]=100&${of}`, 1],
    [`panels?page[size]=100&${of}&include=project,client,servers,domains`, 5],
    [`projects?page[size]=100&${of}&include=panels.domains`, 3],
    ['client-panels?page[size]=100&include=panel.project,owner', 4],
  ]
  for (const [list, statements] of lists)
    expect(await statementsOf(`${base}/${list}`, guest), list).toMatchObject({ statements })
})

test('a type that is reached by several ways is read once', async () => {
  const { statements, rows } = await statementsOf(`${base}/clients?include=panels,projects.panels,projects`)
  expect([statements, rows]).toEqual([3, 1 + 110 + 330])
})

test('rows that were read on the way are not read again', async () => {
  const path = 'panels.project.panels.project'
  expect((await statementsOf(`${base}/projects?page[size]=100&include=${path}`)).statements).toBe(2)
})

test('a page past the end asks for the total, because no row carries it', async () => {
  expect((await statementsOf(`${base}/projects?page[number]=50`)).statements).toBe(2)
})

test('a list of a reference type is remembered for a minute, for everyone', async () => {
  const url = `${base}/countries?page[size]=7`
  expect((await statementsOf(url)).statements).toBe(1)
  let statements = 0
  const stop = portal.pool.observe(() => {
    statements += 1
  })
  const answer = await portal.as(small).get(url)
  stop()
  expect([answer.list.length, statements]).toEqual([7, 0])
})

test('one resource is one statement, and its relationships two', async () => {
  const one = `${base}/projects/${large.projects[0]}`
  const count = async (url: string) => {
    let statements = 0
    const stop = portal.pool.observe(() => {
      statements += 1
    })
    await portal.as(large).get(url)
    stop()
    return statements
  }
  expect(await count(one)).toBe(1)
  expect(await count(`${one}?include=panels,client`)).toBe(3)
  expect(await count(`${one}/panels`)).toBe(2)
  expect(await count(`${one}/relationships/panels`)).toBe(2)
  expect(await count(`${one}/client`)).toBe(2)
})
