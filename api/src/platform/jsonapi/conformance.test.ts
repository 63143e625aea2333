import { randomUUID } from 'node:crypto'
import { hasName, mayBeLeftOut } from '@portico/contract/jsonapi.ts'
import { base } from '@portico/contract/wire.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { modelsOf, type RelationModel } from '#platform/jsonapi/declare/model.ts'
import { served as ours } from '#start/registry.ts'
import { makeAccount } from '#test/support/account.ts'
import type { Answer, Identifier, Linkage, Links, ResourceObject } from '#test/support/answer.ts'
import { library, prepareLibrary, stock } from '#test/support/library.ts'
import { type Method, testPortal, type Visitor } from '#test/support/portal.ts'
import { makeFilesOfStaff, makeRows, makeStaffRows, noRow, typesOfStaff } from '#test/support/rows.ts'
import { assertDocument, assertErrors } from '#test/support/structure.ts'
import { sampled } from '#test/support/sweep.ts'
import { makeAdmin } from '#test/support/ticket.ts'

// Walks every registered type through the rules of JSON:API by its declaration. The rows are those of `test/support/rows.ts`.

const served = [...Object.values(ours), ...library]
const models = modelsOf(served)
const portal = await testPortal({ served, prepare: prepareLibrary })
const mine = await makeAccount(portal.pool, { projects: 4, panels: 2 })
const theirs = await makeAccount(portal.pool, { projects: 2, panels: 1 })
await stock(portal.pool, mine.id, 7)
await stock(portal.pool, theirs.id, 2)
for (const one of [mine, theirs]) await makeRows(portal.pool, one, ['2026-03-10', '2026-03-11'])
for (const name of ['First', 'Second']) await makeStaffRows(portal.pool, name)
// Each account shares something with the other and uses something of the other's.
const friend = await makeAccount(portal.pool, { projects: 2, panels: 2 })
await portal.share(mine, friend, { billing: 'allowed' })
await portal.share(friend, mine)
await portal.share(theirs, friend)
await portal.share(friend, theirs)
const owner = portal.as(mine)
const adminId = await makeAdmin(portal.pool, 'admin')
const admin = portal.staff(adminId)
// What staff kept and asked for, each sees alone.
await makeFilesOfStaff(portal.pool.kysely, adminId)
const readerOf = (type: string) => (typesOfStaff.includes(type) ? admin : owner)
const typeIn = (url: string) => url.slice(base.length + 1).split(/[/?]/)[0] ?? ''
const stranger = portal.as(theirs)

/** Messages of the validation library itself, which must not reach a client. */
const validatorsWords = /^Invalid|^Too |^Unrecognized|received|undefined|pattern|nothing/

const everyMethod = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'] as const

const key = ({ type, id }: Identifier) => `${type} ${id}`
const identifiers = (linkage: Linkage | undefined): Identifier[] =>
  linkage === null || linkage === undefined ? [] : [linkage].flat()

async function good(url: string, visitor: Visitor = readerOf(typeIn(url))) {
  const answer = await visitor.get(url)
  expect(answer.status, `${url}: ${answer.text.slice(0, 500)}`).toBe(200)
  assertDocument(answer)
  return answer
}

/** Every method and path that a type offers on one of its resources. */
function endpoints(type: string, id: string): [Method, string][] {
  const model = models.get(type)
  if (!model) throw new Error(`${type} is not served`)
  const one = `${base}/${type}/${id}`
  const relations = [...model.relations.values()].flatMap(({ name, kind }): [Method, string][] => [
    ['GET', `${one}/${name}`],
    ['GET', `${one}/relationships/${name}`],
    ['PATCH', `${one}/relationships/${name}`],
    ...(kind === 'to-many'
      ? ([
          ['POST', `${one}/relationships/${name}`],
          ['DELETE', `${one}/relationships/${name}`],
        ] satisfies [Method, string][])
      : []),
  ])
  const actions = Object.entries(model.contract.actions).map(([name, { method, on }]): [Method, string] => [
    method,
    `${on === 'one' ? one : `${base}/${type}`}/-actions/${name}`,
  ])
  return [['GET', one], ['PATCH', one], ['DELETE', one], ...relations, ...actions]
}

describe.each([...models.values()])('$name', (model) => {
  const me = readerOf(model.name)
  const list = `${base}/${model.name}`
  const { contract } = model
  let rows: readonly ResourceObject[] = []

  beforeAll(async () => {
    rows = (await good(`${list}?page[size]=100`)).list
  })

  test('lists resources as declared, with links and totals', async () => {
    const answer = await good(list)
    expect(answer.page.total).toBeGreaterThanOrEqual(answer.list.length)
    expect(answer.page).toMatchObject({ number: 1, size: 25 })
    expect(answer.document.links).toMatchObject({ self: list, prev: null })
    expect(answer.document.meta?.may).toHaveProperty('create')
    for (const one of answer.list) {
      expect(one.type).toBe(model.name)
      expect(Object.keys(one.attributes ?? {})).toEqual(Object.keys(contract.attributes))
      expect(Object.keys(one.relationships ?? {}).sort()).toEqual(Object.keys(contract.relationships).sort())
      for (const [name, schema] of Object.entries(contract.attributes)) {
        const value = one.attributes?.[name]
        expect(z.safeParse(schema, value).error, `${name} is ${JSON.stringify(value)}`).toBeUndefined()
      }
      expect(Object.keys(one.meta?.may ?? {})).toEqual([...model.verbs])
    }
  })

  async function follow(name: string, links: Links): Promise<void> {
    const relationship = await good(links.self ?? '')
    const related = await good(links.related ?? '')
    expect(relationship.document.links).toMatchObject(links)
    const { data } = related.document
    const linked = identifiers(relationship.document.data)
    expect(linked.map(key)).toEqual(identifiers(data).map(key))
    expect(Array.isArray(data)).toBe(model.relations.get(name)?.kind === 'to-many')
    for (const one of linked) expect(Object.keys(one).sort()).toEqual(['id', 'type'])
  }

  test('every link of a resource leads to what it names', async () => {
    for (const row of rows.slice(0, 2)) {
      const self = row.links?.self ?? ''
      expect(self).toBe(`${list}/${row.id}`)
      const answer = await good(self)
      expect(answer.one).toEqual(row)
      expect(answer.document.links?.self).toBe(self)
      for (const [name, { links = {} }] of Object.entries(row.relationships ?? {})) await follow(name, links)
    }
  })

  /** The linkage of a resource in a compound document equals the response of the relationship's own URL. */
  async function assertSaysTheSame(row: ResourceObject, { name, kind }: RelationModel): Promise<void> {
    const said = row.relationships?.[name]
    expect(said).toHaveProperty('data')
    const alone = await good(`${said?.links?.self}${kind === 'to-many' ? '?page[size]=100' : ''}`)
    expect(identifiers(said?.data).map(key).sort()).toEqual(identifiers(alone.document.data).map(key).sort())
  }

  test.each([...model.relations.values()])('includes $name', async (relation) => {
    const { name, target } = relation
    const answer = await good(`${list}?page[size]=100&include=${name}`)
    expect(answer.document).toHaveProperty('included')
    expect(answer.included.filter(({ type }) => type !== target.name && type !== model.name)).toEqual([])
    for (const row of answer.list) await assertSaysTheSame(row, relation)
  })

  test.each(sampled(`${model.name} deeper`, 3, [...model.relations.values()]))(
    'includes what $name relates to, named twice',
    async ({ name, target }) => {
      for (const nested of target.relations.keys()) {
        const deep = await good(`${list}?include=${name}.${nested},${name},${name}.${nested}`)
        const all = [...deep.list, ...deep.included]
        const linked = all
          .flatMap((one) => Object.values(one.relationships ?? {}))
          .flatMap(({ data }) => identifiers(data))
        const known = new Set(all.map(key))
        expect(linked.map(key).filter((one) => !known.has(one))).toEqual([])
      }
      expect((await good(`${list}?include=`)).document).not.toHaveProperty('included')
    },
  )

  test('shows only the fields that are asked for', async () => {
    const none = await good(`${list}?fields[${model.name}]=`)
    for (const one of none.list) {
      expect(one).not.toHaveProperty('attributes')
      expect(one).not.toHaveProperty('relationships')
    }
    const fields = [...Object.keys(contract.attributes), ...model.relations.keys()]
    for (const name of sampled(`${model.name} fields`, 4, fields)) {
      const answer = await good(`${list}?page[size]=2&fields[${model.name}]=${name}`)
      for (const one of answer.list)
        expect([...Object.keys(one.attributes ?? {}), ...Object.keys(one.relationships ?? {})]).toEqual([
          name,
        ])
    }
    for (const [name, { target }] of model.relations) {
      const answer = await me.get(`${list}?include=${name}&fields[${target.name}]=`)
      assertDocument(answer)
      for (const one of answer.included) expect(one).not.toHaveProperty('attributes')
    }
  })

  test('sorts by every declared name, both ways and by several', async () => {
    const ids = async (sort: string) =>
      (await good(`${list}?page[size]=100&sort=${sort}`)).list.map(({ id }) => id)
    const total = (await good(list)).page.total
    for (const name of sampled(`${model.name} sorts`, 3, [...contract.sorts, 'id'])) {
      const up = await ids(name)
      const down = await ids(`-${name}`)
      if (total <= 100) expect(down.toReversed()).toEqual(up)
      expect(new Set(up).size).toBe(up.length)
      if (name !== 'id') expect(await ids(`${name},-id`)).toHaveLength(up.length)
      if (name === 'createdAt') expect(await ids('-created_at')).toEqual(down)
    }
  })

  test('pages through everything exactly once', async () => {
    const { total } = (await good(list)).page
    const size = Math.min(100, Math.max(1, Math.ceil(total / 4)))
    const seen: string[] = []
    let pages = 0
    let url: string | null | undefined = `${list}?page[size]=${size}&sort=id`
    let last: string | null | undefined
    while (url) {
      const answer = await good(url)
      pages += 1
      expect(answer.page).toEqual({ number: pages, size, total, pages: Math.ceil(total / size) })
      seen.push(...answer.list.map(({ id }) => id))
      last = answer.document.links?.last
      if (!answer.document.links?.next) expect((await good(last ?? '')).list).toEqual(answer.list)
      url = answer.document.links?.next
    }
    expect(seen).toHaveLength(total)
    expect(new Set(seen).size).toBe(total)
    const past = await good(`${list}?page[size]=${size}&page[number]=${pages + 5}&sort=id`)
    expect(past.list).toEqual([])
    expect(past.page.total).toBe(total)
    expect(past.document.links).toMatchObject({ next: null })
    expect((await good(past.document.links?.prev ?? '')).page.number).toBe(Math.max(1, pages))
  })

  test('finds by ids, and nothing by those of others', async () => {
    const wanted = rows.slice(0, 3).map(({ id }) => id)
    if (wanted.length > 0) {
      const answer = await good(`${list}?filter[id]=${wanted.join()}&sort=id`)
      expect(answer.list.map(({ id }) => id).sort()).toEqual(wanted.sort())
    }
    const foreign = await foreignId(model.name)
    for (const id of ['0', '999999999999999', 'x', ...(foreign ? [foreign] : [])]) {
      const answer = await good(`${list}?filter[id]=${id}`)
      expect(answer.list).toEqual([])
      expect(answer.page.total).toBe(0)
    }
  })

  test('filters by everything that is declared', async () => {
    for (const name of Object.keys(contract.filters)) {
      const value = filterValue(name, rows)
      if (value === undefined) continue
      const answer = await good(`${list}?page[size]=100&filter[${name}]=${encodeURIComponent(value)}`)
      if (rows[0]?.attributes && name in rows[0].attributes) {
        const expected = rows.filter((row) => String(row.attributes?.[name]) === value)
        expect(answer.list.map(key).sort()).toEqual(expected.map(key).sort())
      } else expect(answer.page.total).toBeLessThanOrEqual((await good(list)).page.total)
    }
  })

  const refusedQueries = [
    ['include=nothing', 'include_unknown include'],
    ['include=constructor', 'include_unknown include'],
    ['sort=nothing', 'sort_unknown sort'],
    ['sort=__proto__', 'sort_unknown sort'],
    ['sort=', 'sort_unknown sort'],
    ['sort=id,-id', 'sort_twice sort'],
    ['filter[nothing]=1', 'filter_unknown filter[nothing]'],
    ['filter[toString]=1', 'filter_unknown filter[toString]'],
    ['filter=1', 'parameter_unknown filter'],
    [`fields[${model.name}]=nothing`, `fieldset_unknown fields[${model.name}]`],
    [`fields[${model.name}]=constructor`, `fieldset_unknown fields[${model.name}]`],
    ['fields[nothing]=name', 'type_unknown fields[nothing]'],
    ['fields=name', 'parameter_unknown fields'],
    ['page[size]=0', 'page_number_invalid page[size]'],
    ['page[size]=101', 'page_number_invalid page[size]'],
    ['page[size]=1e1', 'page_number_invalid page[size]'],
    ['page[number]=0', 'page_number_invalid page[number]'],
    ['page[cursor]=x', 'parameter_unknown page[cursor]'],
    ['page=1', 'parameter_unknown page'],
    ['unknown=1', 'parameter_unknown unknown'],
    ['Include=x', 'parameter_unknown Include'],
    ['page[size]=1&page[size]=1', 'parameter_repeated page[size]'],
  ] as const
  test.each(sampled(`${model.name} queries`, 6, refusedQueries))('refuses ?%s', async (query, fault) => {
    assertErrors(await me.get(`${list}?${query}`), 400, [`400 ${fault}`])
  })

  // A type of staff is no address at all for them.
  const [unknown, refusal] = model.binding.ofStaff ? [404, 'address_not_found'] : [401, 'unauthenticated']

  test(`anonymous: ${unknown} everywhere, before anything is looked at`, async () => {
    const every: [Method, string][] = [
      ['GET', list],
      ['POST', list],
      ...endpoints(model.name, rows[0]?.id ?? '1'),
    ]
    const isOpen = (url: string) => contract.actions[url.split('/-actions/')[1] ?? '']?.open === true
    const all = every.filter(([, url]) => !isOpen(url))
    for (const [method, url] of all) {
      const answer = await portal.nobody.call(method, `${url}?unknown=1`, {
        body: '{',
        headers: { 'content-type': 'text/x' },
      })
      assertErrors(answer, unknown, [`${unknown} ${refusal}`])
      expect(answer.header('www-authenticate')).toBe(unknown === 401 ? 'Bearer' : undefined)
    }
  })

  const ofOne = endpoints(model.name, ':id').filter(([, url]) => url.includes(':id'))
  test.each(sampled(`${model.name} absent`, 8, ofOne))(
    '%s %s: absent and hidden rows are indistinguishable',
    async (method, url) => {
      const foreign = await foreignId(model.name)
      const ask = (id: string) => {
        const body = { data: { type: model.name, id, attributes: {} } }
        const headers = { 'idempotency-key': randomUUID() }
        return me.call(method, url.replace(':id', id), method === 'GET' ? {} : { body, headers })
      }
      const absent = await ask('999999999999999')
      // An operation that the type never offers is a 403, with any id.
      assertErrors(absent, method !== 'GET' && absent.status === 403 ? 403 : 404)
      const impossible = ['0', '-1', '1.5', 'x', '%20', '1%00', '99999999999999999999']
      for (const id of [...impossible, ...(foreign ? [foreign] : [])]) {
        const answer = await ask(id)
        expect([id, answer.status, answer.text]).toEqual([id, absent.status, absent.text])
      }
    },
  )

  const paths = [...new Set([list, ...endpoints(model.name, '1').map(([, url]) => url)])]
  test.each(sampled(`${model.name} methods`, 8, paths))(
    '%s answers unsupported methods with a 405 that lists the supported ones',
    async (url) => {
      const offered: string[] = [['GET', list], ['POST', list], ...endpoints(model.name, '1')]
        .filter(([, path]) => path === url)
        .flatMap(([method = '']) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      for (const method of everyMethod.filter((one) => !offered.includes(one))) {
        const answer = await me.call(method, url)
        expect([method, answer.status]).toEqual([method, 405])
        expect((answer.header('allow') ?? '').split(', ').sort()).toEqual(offered.toSorted())
        if (method !== 'HEAD') assertErrors(answer, 405, ['405 method_not_allowed'])
      }
    },
  )

  const fixed = [...model.relations.values()].filter(({ name }) => !contract.update.includes(name))
  const one = { data: { type: model.name, id: '1', attributes: {} } }
  const unoffered: (readonly [Method, string, unknown])[] = [
    ...(contract.create.length === 0 ? ([['POST', list, one]] as const) : []),
    ...(contract.update.length === 0 ? ([['PATCH', `${list}/1`, one]] as const) : []),
    ...(contract.delete ? [] : ([['DELETE', `${list}/1`, undefined]] as const)),
    ...fixed.flatMap(({ name, kind }) => {
      const methods: readonly Method[] = kind === 'to-many' ? ['PATCH', 'POST', 'DELETE'] : ['PATCH']
      const data = kind === 'to-many' ? [] : null
      return methods.map((method): [Method, string, unknown] => [
        method,
        `${list}/1/relationships/${name}`,
        { data },
      ])
    }),
  ]
  test.each(sampled(`${model.name} unoffered`, 8, unoffered))(
    '%s %s is not offered: 403',
    async (method, url, body) => {
      const answer = await me.call(method, url, { body })
      assertErrors(answer, 403)
      expect(answer.errors[0]?.code).toMatch(/^(create|update|delete|relationship)_not_offered$/)
    },
  )

  /** Sends it as a creation, and as a change of a row that the reader may change, wherever the type offers that. */
  async function written(part: object, verbs: readonly ('create' | 'update')[]): Promise<Answer[]> {
    const row = rows.find(({ meta }) => meta?.may?.update === true)
    const answers: Answer[] = []
    if (verbs.includes('create')) answers.push(await me.post(list, { data: { type: model.name, ...part } }))
    if (verbs.includes('update') && row)
      answers.push(await me.patch(`${list}/${row.id}`, { data: { type: model.name, id: row.id, ...part } }))
    return answers
  }

  const writes = (['create', 'update'] as const).filter((verb) => contract[verb].length > 0)
  test.each(writes.length > 0 ? [...model.relations.keys()] : [])(
    'a relationship %s without data is a 400',
    async (name) => {
      for (const broken of [{}, { links: {} }, { meta: {} }, [], null])
        for (const answer of await written({ relationships: { [name]: broken } }, writes))
          assertErrors(answer, 400, [`400 relationship_data_missing /data/relationships/${name}`])
    },
  )

  const asked = Object.entries(contract.attributes).flatMap(([name, schema]) => {
    const verbs = writes.filter((verb) => contract[verb].includes(name))
    return verbs.length > 0 ? [{ name, schema, verbs }] : []
  })
  test.each(asked)('says in plain words what is wrong with $name', async ({ name, schema, verbs }) => {
    const pointer = `/data/attributes/${name}`
    async function saidOf(attributes: object, sent = verbs): Promise<string[]> {
      const answers = await written({ attributes }, sent)
      return answers.map((answer) => {
        assertErrors(answer, 422)
        const found = answer.errors.find(({ source }) => `${source?.pointer}/`.startsWith(`${pointer}/`))
        return found?.detail ?? 'nothing'
      })
    }
    for (const value of [7.5, -1, true, 'no such value', [], {}, [[]], { a: 1 }]) {
      if (z.safeParse(schema, value).success) continue
      for (const detail of await saidOf({ [name]: value }))
        expect([value, detail]).toEqual([value, expect.not.stringMatching(validatorsWords)])
    }
    if (mayBeLeftOut(schema)) return
    const onCreation = verbs.filter((verb) => verb === 'create')
    const missing = new Set([...(await saidOf({}, onCreation)), ...(await saidOf({ [name]: null }))])
    expect([...missing]).toEqual([expect.stringMatching(/(is|are) required$|^Accept the terms to continue$/)])
  })

  test('finds by a whole name in any case, where rows have names', async () => {
    const find = (name: string) => me.get(`${list}?page[size]=100&filter[name]=${encodeURIComponent(name)}`)
    if (!hasName(contract)) {
      assertErrors(await find('x'), 400, ['400 filter_unknown filter[name]'])
      return
    }
    const named = rows.filter(({ attributes }) => typeof attributes?.name === 'string')
    const lower = ({ attributes }: ResourceObject) => String(attributes?.name).toLowerCase()
    const [first] = named
    if (first) {
      const same = named.filter((row) => lower(row) === lower(first))
      for (const name of [lower(first), lower(first).toUpperCase(), ` ${lower(first)} `])
        expect((await find(name)).list.map(key)).toEqual(expect.arrayContaining(same.map(key)))
      for (const row of (await find(lower(first))).list) expect(lower(row)).toBe(lower(first))
    }
    for (const name of [`${first ? lower(first) : ''}%`, '_', "' or ''='"])
      expect((await find(name)).page.total).toBe(0)
    assertErrors(await find(' '), 400, ['400 characters_missing filter[name]'])
  })

  async function assertConditional(url: string): Promise<void> {
    const answer = await good(url)
    const tag = answer.header('etag') ?? ''
    expect(tag).toMatch(/^W\/"[\w-]+"$/)
    for (const known of [tag, '*', `"other", ${tag}`, tag.slice(2), `W/"x",${tag},"y"`]) {
      const got = await me.get(url, { 'if-none-match': known })
      const head = await me.call('HEAD', url, { headers: { 'if-none-match': known } })
      expect([known, got.status, got.text, got.header('etag')]).toEqual([known, 304, '', tag])
      expect([known, head.status, head.text, head.header('etag')]).toEqual([known, 304, '', tag])
    }
    expect((await me.get(url, { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await me.call('HEAD', url)
    expect([head.status, head.text, head.header('etag')]).toEqual([200, '', tag])
    expect(head.header('content-type')).toBe(answer.header('content-type'))
    expect(head.header('content-length')).toBe(String(Buffer.byteLength(answer.text)))
  }

  test('an unchanged read is a 304, and HEAD is a GET without its body', async () => {
    await assertConditional(list)
    if (rows[0]) await assertConditional(`${list}/${rows[0].id}`)
    expect(rows.length).toBeGreaterThan(0)
  })
})

/** A resource of the type that the stranger sees and we do not. */
async function foreignId(type: string): Promise<string | undefined> {
  const own = new Set((await readerOf(type).get(`${base}/${type}?page[size]=100`)).list.map(({ id }) => id))
  if (models.get(type)?.binding.ofStaff) return undefined
  const all = await stranger.get(`${base}/${type}?page[size]=100`)
  return all.list.find(({ id }) => !own.has(id))?.id
}

/** A value that the filter takes and some row has. */
function filterValue(name: string, rows: readonly ResourceObject[]): string | undefined {
  const value = rows[0]?.attributes?.[name]
  if (value !== undefined && value !== null) return String(value)
  if (name === 'client_id') return String(mine.id)
  if (name === 'project_id') return String(mine.projects[0])
  return name === 'search' ? 'ana' : undefined
}

test('every type has rows', async () => {
  const empty: string[] = []
  for (const name of models.keys())
    if ((await readerOf(name).get(`${base}/${name}`)).page.total === 0) empty.push(noRow(name))
  expect(empty).toEqual([])
  expect(portal.bugs).toEqual([])
})
