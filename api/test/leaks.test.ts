import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { render } from '#notifications/letters/render.ts'
import { modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served } from '#start/registry.ts'
import type { Answer } from './support/answer.ts'
import { lettersTo } from './support/mail.ts'
import { isGuest, type Kind, makeGuests, makeWorld } from './support/matrix.ts'
import { testPortal, type Visitor } from './support/portal.ts'
import { isWhole, sampled } from './support/sweep.ts'

// Every text of an account is marked, and then everything is asked for by people who may not read it: what they are shown,
// counted, refused or written must hold none of the marks that are not theirs to read.

const models = modelsOf(Object.values(served))
const portal = await testPortal({ held: false })
const guests = await makeGuests(portal)
const { owner, ids, beyond, keys } = await makeWorld(portal, guests)
const db = portal.pool.kysely

/** Marks by what they stand in. No text of the portal or of a test has them by chance. */
const marks = {
  names: 'Qn7x',
  client: 'Qc7x',
  entity: 'Qe7x',
  details: 'Qd7x',
  first: 'Qf7x',
  others: 'Qo7x',
  panel: 'Qp7x',
  panels: 'Qs7x',
  sharing: 'Qi7x',
  tickets: 'Qt7x',
  // Internal notes of staff, which no client reads.
  notes: 'Qz7x',
} as const
type Mark = keyof typeof marks

/** Which rows are marked with what. What a check of the database refuses stays as it is, and is named below. */
const marked: readonly {
  table: string
  where: string
  mark: Mark
  only?: readonly string[]
  not?: readonly string[]
}[] = [
  { table: 'clients', where: `id = ${owner.id}`, mark: 'names', only: ['first_name', 'last_name', 'email'] },
  { table: 'clients', where: `id = ${owner.id}`, mark: 'client', not: ['first_name', 'last_name', 'email'] },
  { table: 'client_entities', where: `client_id = ${owner.id}`, mark: 'entity' },
  { table: 'register_details', where: `client_id = ${owner.id}`, mark: 'details' },
  { table: 'projects', where: `id = ${ids.projects}`, mark: 'first' },
  { table: 'projects', where: `client_id = ${owner.id} and id <> ${ids.projects}`, mark: 'others' },
  { table: 'panels', where: `id = ${ids.panels}`, mark: 'panel' },
  { table: 'panels', where: `client_id = ${owner.id} and id <> ${ids.panels}`, mark: 'panels' },
  { table: 'panel_resources', where: `panel_id = ${ids.panels}`, mark: 'panel' },
  {
    table: 'panel_resources',
    where: `panel_id in (select id from panels where client_id = ${owner.id} and id <> ${ids.panels})`,
    mark: 'panels',
  },
  {
    table: 'share_invitations',
    where: `client_id = ${owner.id} and accepted_by_client_id is null`,
    mark: 'sharing',
  },
  { table: 'notifications', where: `client_id = ${owner.id}`, mark: 'sharing', only: ['params'] },
  { table: 'tickets', where: `client_id = ${owner.id}`, mark: 'tickets', only: ['number', 'subject'] },
  {
    table: 'ticket_messages',
    where: `client_id = ${owner.id} and visibility = 'public'`,
    mark: 'tickets',
    only: ['body'],
  },
  {
    table: 'ticket_messages',
    where: `client_id = ${owner.id} and visibility = 'internal'`,
    mark: 'notes',
    only: ['body'],
  },
  { table: 'ticket_files', where: `id = ${ids['ticket-files']}`, mark: 'tickets', only: ['filename'] },
  {
    table: 'ticket_files',
    where: `client_id = ${owner.id} and id <> ${ids['ticket-files']}`,
    mark: 'notes',
    only: ['filename'],
  },
  { table: 'ticket_emails', where: `client_id = ${owner.id}`, mark: 'tickets', only: ['email', 'name'] },
]

/** Writes a mark into every text of the rows, each another one where they must differ; returns what could not be marked. */
async function mark({
  table,
  where,
  mark: name,
  only,
  not = [],
}: (typeof marked)[number]): Promise<string[]> {
  const { rows } = await sql<{ column: string; type: string; length: number | null }>`
    select column_name as column, udt_name as type, character_maximum_length as length
    from information_schema.columns where table_schema = 'public' and table_name = ${table}
      and is_generated = 'NEVER' and udt_name in ('text', 'varchar', 'citext', 'jsonb')`.execute(db)
  const refused: string[] = []
  for (const { column, type, length } of rows) {
    if (not.includes(column) || (only && !only.includes(column))) continue
    const text = `'${marks[name]}' || lpad(id::text, 6, '0')`
    const spec = `jsonb_build_object('tls_expires_on', ${text}, 'ipv4', ${text})`
    const reasons = `jsonb_build_array(jsonb_build_object('code', 'load', 'since', now(), 'resource', ${text}, 'text', ${text}))`
    const value = {
      jsonb: column.endsWith('reasons') ? reasons : spec,
      citext: `${text} || '@qx.test'`,
    }[type]
    const fitting = value ?? (length === null ? text : `left(${text}, ${length})`)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = (${sql.raw(fitting)})::${sql.raw(type)} where ${sql.raw(where)}`
      .execute(db)
      .catch(() => refused.push(`${table}.${column}`))
  }
  return refused
}

// An open invitation, whose details are between the owner and the invited person.
const permission = await portal
  .as(owner)
  .post(`${base}/share-permissions`, { data: { type: 'share-permissions', attributes: {} } })
await portal.as(owner).post(`${base}/share-invitations`, {
  data: {
    type: 'share-invitations',
    attributes: { first_name: 'A', last_name: 'B', invited_email: 'somebody@example.com' },
    relationships: { permission: { data: { type: 'share-permissions', id: permission.one.id } } },
  },
})
const unmarked: string[] = []
for (const one of marked) unmarked.push(...(await mark(one)))

/** The marked values that each kind of person may read; all others must stay hidden. */
const readable: Partial<Record<Kind, readonly Mark[]>> = {
  anonymous: [],
  stranger: [],
  removed: [],
  expired: [],
  none: ['names'],
  tickets: ['names', 'tickets'],
  billing: ['names', 'entity', 'first', 'others'],
  one: ['names', 'first', 'panel'],
  // The workspace holds one more panel than the guest of one is shown, and a key sees the tickets about both.
  'key one': ['names', 'first', 'panel', 'panels', 'tickets'],
  all: ['names', 'first', 'others', 'panel', 'panels'],
}

const visitorOf = (kind: Kind): Visitor => {
  if (kind === 'anonymous') return portal.nobody
  if (kind === 'key' || kind === 'key one') return portal.key(keys[kind])
  return portal.as(kind === 'owner' ? owner : guests[kind])
}

const hiddenFrom = (kind: Kind): string[] => {
  const open = readable[kind] ?? []
  return Object.entries(marks).flatMap(([name, text]) => (open.includes(name as Mark) ? [] : [text])) // Its own keys.
}

/** Every include path of two steps. */
function includes(name: string): string[] {
  const relations = [...(models.get(name)?.relations.values() ?? [])]
  return relations.flatMap((one) => [
    one.name,
    ...[...one.target.relations.keys()].map((next) => `${one.name}.${next}`),
  ])
}

const idOf = (name: string) => beyond[name] ?? ids[name] ?? owner.id
const values = [
  owner.id,
  ids.projects,
  beyond.projects,
  ids.panels,
  beyond.panels,
  'running',
  'active',
  'true',
]

/** Everything that any person can read of a type. */
function reads(name: string): string[] {
  const model = models.get(name)
  if (!model) throw new Error(`${name} is not served`)
  const list = `${base}/${name}`
  const scoped = Object.hasOwn(model.contract.filters, 'client_id') ? `filter[client_id]=${owner.id}&` : ''
  const of = (query: string) => `${list}?${scoped}${query}`
  const filters = Object.keys(model.contract.filters).flatMap((filter) =>
    (filter === 'search' ? Object.values(marks) : values).map((value) => `filter[${filter}]=${value}`),
  )
  const one = [ids[name], beyond[name]].filter((id) => id !== undefined).map((id) => `${list}/${id}`)
  const ends = [...model.relations.keys()]
  return [
    list,
    of(''),
    `${list}?filter[id]=${[ids[name], beyond[name]].filter(Boolean).join()}`,
    ...includes(name).map((path) => of(`include=${path}`)),
    ...[...model.contract.sorts, 'id'].flatMap((sort) => [of(`sort=${sort}`), of(`sort=-${sort}`)]),
    ...filters.map((filter) => `${list}?${filter}`),
    ...filters.filter((filter) => !filter.includes('client_id')).map(of),
    ...one.map((url) => `${url}?include=${ends.join()}`),
    ...one.flatMap((url) => ends.flatMap((end) => [`${url}/${end}`, `${url}/relationships/${end}`])),
    ...one.flatMap((url) => Object.keys(model.contract.actions).map((action) => `${url}/-actions/${action}`)),
  ]
}

type Write = { readonly method: 'POST' | 'PATCH' | 'DELETE'; readonly url: string; readonly body: unknown }

/** Every write that can carry the id of a row, hidden or not: to the row, inside it, and in references to it. */
function writes(
  name: string,
  id: number | string,
  own: Readonly<Record<string, number | undefined>>,
): Write[] {
  const model = models.get(name)
  if (!model) return []
  const url = `${base}/${name}/${id}`
  const to = { type: name, id: String(id) }
  const about = [...models.values()].flatMap(({ name: from, relations, contract }): Write[] =>
    [...relations.values()]
      .filter((one) => one.target === model && contract.update.includes(one.name) && own[from] !== undefined)
      .map(({ name: end, kind }) => ({
        method: 'PATCH',
        url: `${base}/${from}/${own[from]}/relationships/${end}`,
        body: { data: kind === 'to-many' ? [to] : to },
      })),
  )
  const actions = Object.entries(model.contract.actions)
    .filter(([, { on, method }]) => on === 'one' && method === 'POST')
    .map(([action]): Write => ({ method: 'POST', url: `${url}/-actions/${action}`, body: { data: {} } }))
  return [
    { method: 'PATCH', url, body: { data: { ...to, attributes: {} } } },
    { method: 'DELETE', url, body: undefined },
    ...about,
    ...actions,
    ...(name === 'projects' ? [{ method: 'POST' as const, url: `${base}/panels`, body: newPanel(to) }] : []),
    ...(name === 'tickets'
      ? [{ method: 'POST' as const, url: `${base}/ticket-messages`, body: newMessage(to) }]
      : []),
    ...(name === 'ticket-files'
      ? [{ method: 'POST' as const, url: `${base}/tickets`, body: newTicket(to) }]
      : []),
    ...(name === 'share-permissions'
      ? [{ method: 'POST' as const, url: `${base}/share-invitations`, body: newInvitation(to) }]
      : []),
  ]
}

const newPanel = (project: object) => ({
  data: {
    type: 'panels',
    attributes: { name: 'n', plan_code: 'web-3' },
    relationships: { project: { data: project } },
  },
})
const newInvitation = (to: object) => ({
  data: {
    type: 'share-invitations',
    attributes: { first_name: 'A', last_name: 'B', invited_email: 'x@example.com' },
    relationships: { permission: { data: to } },
  },
})

const newMessage = (ticket: object) => ({
  data: { type: 'ticket-messages', attributes: { body: 'n' }, relationships: { ticket: { data: ticket } } },
})
const newTicket = (file: object) => ({
  data: {
    type: 'tickets',
    attributes: { subject: 'n', description: 'n' },
    relationships: {
      ticketDepartment: { data: { type: 'ticket-departments', id: String(ids['ticket-departments']) } },
      ticketFile: { data: [file] },
    },
  },
})

let asked = 0

function assertClean(kind: Kind, what: string, { text }: Pick<Answer, 'text'>, sent = ''): void {
  asked += 1
  const found = hiddenFrom(kind).filter((secret) => text.includes(secret) && !sent.includes(secret))
  expect(found, `${kind}: ${what}: ${text.slice(0, 400)}`).toEqual([])
}

test('every text of the account is marked, but those that only some words are let into', async () => {
  const words = [
    'clients.kind',
    'panel_resources.kind',
    'panel_resources.status',
    'panels.engine_status',
    'panels.failed_step',
  ]
  expect([...new Set(unmarked)].sort()).toEqual([...words, 'panels.status', 'register_details.source'])
  // One after the other: of a hundred at once the portal refuses some.
  let all = ''
  for (const name of models.keys()) {
    const { status, text } = await portal.as(owner).get(`${base}/${name}`)
    expect(status, name).toBeLessThan(500)
    all += text
  }
  expect(Object.entries(marks).filter(([, text]) => !all.includes(text))).toEqual([['notes', marks.notes]])
})

const kindsToAsk = Object.keys(readable) as Kind[] // Its own keys.

describe.each(kindsToAsk)('%s', (kind) => {
  const visitor = visitorOf(kind)

  test.each([...models.keys()])('reads nothing hidden from %s', async (name) => {
    for (const url of sampled(`${kind} ${name}`, 12, reads(name))) {
      const answer = await visitor.get(url)
      expect(answer.status, url).toBeLessThan(500)
      assertClean(kind, url, answer, url)
      // A hidden row is not counted either: nothing that is in no list is in a total.
      if (
        answer.status === 200 &&
        'meta' in answer.document &&
        answer.document.meta?.page &&
        answer.page.pages === 1
      )
        expect(answer.page.total, url).toBe(answer.list.length)
    }
  })

  test.each([...models.keys()])('learns nothing hidden from writes with ids of %s', async (name) => {
    const own = !isGuest(kind) ? {} : { clients: guests[kind].id, projects: guests[kind].projects[0] }
    const id = idOf(name)
    const isHidden = (await visitor.get(`${base}/${name}/${id}`)).status !== 200
    const absent = writes(name, 999_999_999, own)
    const all = [...writes(name, id, own).entries()]
    for (const [at, { method, url, body }] of sampled(`${kind} ${name} writes`, 3, all)) {
      // Writes to visible rows are covered by the matrix.
      if (!isHidden && kind !== 'anonymous') continue
      const answer = await visitor.call(method, url, { ...(body !== undefined && { body }) })
      assertClean(kind, `${method} ${url}`, answer)
      const other = absent[at]
      const unknown =
        other &&
        (await visitor.call(other.method, other.url, {
          ...(other.body !== undefined && { body: other.body }),
        }))
      expect([answer.status, answer.text], `${method} ${url}`).toEqual([unknown?.status, unknown?.text])
    }
  })

  test('is refused no name because of hidden rows', async () => {
    if (kind === 'anonymous') return expect((await visitor.get(`${base}/projects`)).status).toBe(401)
    const made = await visitor.post(`${base}/projects`, {
      data: {
        type: 'projects',
        attributes: { name: `${marks.others}${String(beyond.projects).padStart(6, '0')}` },
      },
    })
    expect(made.status).toBe(kind === 'key one' ? 403 : 201)
  })

  test('is written nothing hidden', async () => {
    if (!isGuest(kind)) return expect(hiddenFrom(kind)).not.toEqual([])
    const letters = await lettersTo(portal.pool, guests[kind].email)
    for (const letter of letters) {
      const { subject, text, html } = render(letter, 'en', 'https://portal.example')
      assertClean(kind, letter.kind, { text: subject + text + html }, marks.names)
    }
    expect(letters.length).toBe(kind === 'removed' ? 1 : 0)
  })
})

test('enough was asked, and nothing was a bug', () => {
  console.info(`Leaks: ${asked} answers looked at.`)
  expect([asked > (isWhole ? 5000 : 1500), portal.bugs]).toEqual([true, []])
})
