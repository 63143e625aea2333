import { randomUUID } from 'node:crypto'
import type { Permissions } from '@portico/contract/permission-object.ts'
import { dayMs } from '@portico/contract/time.ts'
import { base } from '@portico/contract/wire.ts'
import { type Model, modelsOf } from '#platform/jsonapi/declare/model.ts'
import { served } from '#start/registry.ts'
import { type Account, makeAccount } from './account.ts'
import type { Answer } from './answer.ts'
import { makeKey } from './api-key.ts'
import { announcementInput, companyInput, policyInputs } from './operator-input.ts'
import { makeOffered, planInputs } from './plans.ts'
import type { Method, TestPortal, Visitor } from './portal.ts'
import { makeRows, makeStaffRows, noRow } from './rows.ts'
import { custom, entry } from './share.ts'

/** Every type of the portal. */
export const models: readonly Model[] = [...modelsOf(Object.values(served)).values()]

/** The kinds of callers, as in the columns of the table; guests by the permissions that they have. */
export const kinds = [
  'owner',
  'billing',
  'tickets',
  'none',
  'one',
  'one+add',
  'one+delete',
  'all',
  'all+add',
  'all+delete',
  'removed',
  'expired',
  'stranger',
  'anonymous',
  'key',
  'key one',
] as const
export type Kind = (typeof kinds)[number]

/** The permissions of each kind of guest. `one`: a single panel of a single workspace. */
function openedTo(kind: Kind, { projects: [first], panels }: Account): Partial<Permissions> | undefined {
  const add = kind.endsWith('+add') ? 'allowed' : 'denied'
  const remove = kind.endsWith('+delete') ? 'allowed' : 'denied'
  const accounts = remove === 'allowed' ? 'none' : 'all'
  const may = { add_panels: add, delete_panels: remove, account_access: accounts } as const
  if (kind === 'billing' || kind === 'tickets') return { [kind]: 'allowed', my_workspaces: 'denied' }
  if (kind === 'none') return { workspace_resources: 'none', add_panels: 'allowed', delete_panels: 'allowed' }
  if (kind.startsWith('one'))
    return {
      ...may,
      ...custom(
        entry(first, {
          add_panels: add,
          delete_panels: remove,
          access_type: 'custom',
          panels: panels.slice(0, 1),
        }),
      ),
    }
  if (kind === 'expired' || kind === 'removed')
    return { billing: 'allowed', tickets: 'allowed', add_panels: 'allowed', delete_panels: 'allowed' }
  return kind.startsWith('all') ? may : undefined
}

/** An owner's account with everything in it, opened to everyone of a kind; `ids` are the rows that are asked about. */
export type World = {
  readonly owner: Account
  readonly ids: Readonly<Record<string, number | string>>
  /** A panel, and its workspace, that only those see who see all. */
  readonly beyond: Readonly<Record<string, number>>
  /** Keys with every scope by api_keys.id: of the whole account, and limited to the workspace of `ids`. */
  readonly keys: Readonly<Record<Program, string>>
}

export type Program = 'key' | 'key one'
type Guest = Exclude<Kind, 'owner' | 'anonymous' | Program>
export const isGuest = (kind: Kind): kind is Guest =>
  kind !== 'owner' && kind !== 'anonymous' && kind !== 'key' && kind !== 'key one'

export type Guests = Readonly<Record<Guest, Account>>

/** One client for each of the kinds, or of all; they stay the same while owners come and go. */
export async function makeGuests({ pool }: TestPortal, wanted: readonly Kind[] = kinds): Promise<Guests> {
  await makeOffered(pool.kysely, { 'web-3': '8.00' })
  const made: Partial<Record<Guest, Account>> = {}
  for (const kind of wanted)
    if (isGuest(kind)) made[kind] = await makeAccount(pool, { projects: 1, panels: 0 })
  return made as Guests // Every kind that is wanted and a client was made just now.
}

async function firstId(visitor: Visitor, path: string): Promise<number> {
  return Number((await visitor.get(`${base}/${path}`)).list[0]?.id)
}

/** The first row that the owner sees of every type whose row was not chosen. */
async function otherIds(reader: Visitor, chosen: object): Promise<Record<string, number>> {
  const ids: Record<string, number> = {}
  for (const { name, lookup } of models) {
    if (lookup || Object.hasOwn(chosen, name)) continue
    const id = await firstId(reader, name)
    if (Number.isNaN(id)) throw new Error(noRow(name))
    ids[name] = id
  }
  return ids
}

/** A new owner with three workspaces of two panels each. */
export async function makeWorld(portal: TestPortal, guests: Guests): Promise<World> {
  const owner = await makeAccount(portal.pool, { projects: 3, panels: 2 })
  const permissions: Partial<Record<string, number>> = {}
  let invitation = 0
  for (const [kind, guest] of Object.entries(guests)) {
    const opened = openedTo(kind as Kind, owner) // The keys are kinds.
    if (opened === undefined) continue
    const past = kind === 'expired' ? { expires_at: '2026-01-01T00:00:00Z' } : {}
    const shared = await portal.share(owner, guest, { ...opened, ...past })
    permissions[kind] = shared.permission
    if (kind === 'all') invitation = shared.invitation
    if (kind === 'removed') await portal.as(owner).delete(`${base}/share-invitations/${shared.invitation}`)
  }
  const reader = portal.as(owner)
  const client = owner.id
  const inPanel = (type: string, panel: number | undefined) =>
    firstId(reader, `${type}?filter[panel_id]=${panel}`)
  const [panel = 0, , other = 0] = owner.panels
  const made: Record<string, number | string> = {
    ...(await makeRows(portal.pool, { id: client, panels: [panel] }, ['2026-03-10'])),
    ...(await makeStaffRows(portal.pool, `of ${client}`)),
    'client-panels': await firstId(portal.as(guests.all), `client-panels?filter[panel_id]=${panel}`),
    projects: owner.projects[0] ?? 0,
    servers: await inPanel('servers', panel),
    clusters: await inPanel('clusters', panel),
    domains: await inPanel('domains', panel),
    'share-invitations': invitation,
    'share-permissions': permissions.all ?? 0,
    'staff-preferences': await firstId(reader, 'admins'),
    'ticket-departments': await firstId(reader, 'ticket-departments'),
  }
  const keys = {
    key: String(made['api-keys']),
    'key one': (await makeKey(portal.pool, { client, project: owner.projects[0] ?? 0 })).id,
  }
  return {
    owner,
    keys,
    ids: { ...made, ...(await otherIds(reader, made)) },
    beyond: {
      projects: owner.projects[1] ?? 0,
      panels: other,
      servers: await inPanel('servers', other),
      clusters: await inPanel('clusters', other),
      domains: await inPanel('domains', other),
    },
  }
}

const newDetails = {
  data: {
    type: 'register-details',
    attributes: {
      first_name: 'Ana',
      last_name: 'Pop',
      account_type: 2,
      terms_version: '1',
      marketing_consent: false,
      source: 'email',
    },
  },
}

const linkage = (type: string, id: number | string | undefined) => ({ data: { type, id: String(id) } })
const sold = [{ description_en: 'Set-up', quantity: 1, unit_price: 10 }]
/** The body of a creation by staff about the client. */
const ofClient = (type: string, { ids }: World, attributes: object) => ({
  data: { type, attributes, relationships: { client: linkage('desk-clients', ids['desk-clients']) } },
})

/** The body of a creation of each type, for the owner's account where the type has one. */
export const creations: Readonly<Record<string, (world: World) => unknown>> = {
  'api-keys': () => ({
    data: {
      type: 'api-keys',
      attributes: { name: 'New', allowed_ips: ['192.0.2.1'], scopes: ['panels:read'], expires_at: null },
    },
  }),
  projects: () => ({ data: { type: 'projects', attributes: { name: 'New' } } }),
  panels: ({ ids }) => ({
    data: {
      type: 'panels',
      attributes: { name: 'New', plan_code: 'web-3' },
      relationships: { project: linkage('projects', ids.projects) },
    },
  }),
  'register-details': () => newDetails,
  'share-permissions': () => ({ data: { type: 'share-permissions', attributes: {} } }),
  'share-invitations': ({ ids }) => ({
    data: {
      type: 'share-invitations',
      attributes: { first_name: 'A', last_name: 'B', invited_email: 'new@example.com' },
      relationships: { permission: linkage('share-permissions', ids['share-permissions']) },
    },
  }),
  tickets: ({ ids, owner }) => ({
    data: {
      type: 'tickets',
      attributes: { subject: 'New', description: 'New', client_id: owner.id },
      relationships: { ticketDepartment: linkage('ticket-departments', ids['ticket-departments']) },
    },
  }),
  'ticket-messages': ({ ids }) => ({
    data: {
      type: 'ticket-messages',
      attributes: { body: 'New' },
      relationships: { ticket: linkage('tickets', ids.tickets) },
    },
  }),
  'canned-answers': () => ({
    data: {
      type: 'canned-answers',
      attributes: { title: 'New', body_en: 'Hello', body_ro: 'Bună' },
      relationships: { ticketDepartment: { data: null } },
    },
  }),
  'accounting-exports': () => ({
    data: {
      type: 'accounting-exports',
      attributes: { kind: 'vat', from_day: '2026-01-01', to_day: '2026-01-31' },
    },
  }),
  'client-exports': () => ({ data: { type: 'client-exports', attributes: { filter: { owing: 'true' } } } }),
  'desk-views': () => ({
    data: { type: 'desk-views', attributes: { name: `View ${randomUUID()}`, filter: { trial: 'true' } } },
  }),
  'document-archives': () => ({
    data: {
      type: 'document-archives',
      attributes: { from_day: '2026-01-01', to_day: '2026-12-31', format: 'pdf' },
    },
  }),
  'client-notes': (world) => ofClient('client-notes', world, { body: 'New' }),
  'invoice-drafts': (world) => ofClient('invoice-drafts', world, { lines: sold }),
  'usage-notes': ({ ids }) => ({
    data: {
      type: 'usage-notes',
      attributes: { note_en: 'Looked at', note_ro: 'Verificat' },
      relationships: { usage: linkage('usages', ids.usages) },
    },
  }),
  'stripe-setup-intents': ({ owner }) => ({
    data: { type: 'stripe-setup-intents', attributes: { client_id: owner.id } },
  }),
  transactions: ({ owner }) => ({
    data: { type: 'transactions', attributes: { client_id: owner.id, purpose: 'deposit', net: 50 } },
  }),
  'automated-billing-rules': ({ owner, ids }) => ({
    data: {
      type: 'automated-billing-rules',
      attributes: { client_id: owner.id, threshold_amount: 10, recharge_amount: 50 },
      relationships: { card: linkage('cards', ids.cards) },
    },
  }),
  'ticket-ticket-emails': ({ ids }) => ({
    data: {
      type: 'ticket-ticket-emails',
      attributes: {},
      relationships: {
        ticket: linkage('tickets', ids.tickets),
        ticketEmail: linkage('ticket-emails', ids['ticket-emails']),
      },
    },
  }),
  'ticket-emails': ({ owner }) => ({
    data: {
      type: 'ticket-emails',
      attributes: { client_id: owner.id, email: 'new@example.com', name: null },
    },
  }),
}

/** A change of each type that can be changed. */
export const changes: Readonly<Record<string, object>> = {
  'api-keys': { name: 'Other' },
  'canned-answers': { title: 'Other' },
  'client-notes': { pinned: true },
  'invoice-drafts': { lines: [...sold, ...sold] },
  'staff-preferences': { followed: { technical: 'mine' } },
  cards: { is_default: false },
  'automated-billing-rules': { recharge_amount: 60 },
  'client-entities': { city: 'Iași' },
  'client-panels': { position: 7 },
  clients: { first_name: 'Other' },
  notifications: { read: true },
  panels: { name: 'Other' },
  projects: { name: 'Other' },
  'share-invitations': { first_name: 'Other' },
  'share-permissions': { expires_at: '2040-01-01T00:00:00Z' },
}

const departmentInput = {
  name_en: 'Sales',
  name_ro: 'Vânzări',
  first_response_minutes: 60,
  resolve_minutes: 120,
  office_hours: false,
}

/** The input of each action. */
const inputs: Readonly<Record<string, (world: World) => object>> = {
  power: () => ({ action: 'restart', request_id: randomUUID() }),
  changePlan: () => ({ plan: 'unknown', expects: { monthly: 1, currency: 'USD' } }),
  updateCurrentProject: ({ beyond }) => ({ current_project_id: beyond.projects }),
  changeCurrency: () => ({ currency: 'USD' }),
  setInvitedClientId: () => ({ invited_client_id: 1 }),
  createNewClientPanel: ({ ids }) => ({ share_permission_id: ids['share-permissions'] }),
  acceptTerms: () => ({ version: 'unknown' }),
  acceptInvitation: () => ({ token: 'unknown' }),
  enable: () => ({ consent: 'I let the portal charge my card.' }),
  announce: () => announcementInput,
  addRate: () => ({ base: 'EUR', published_on: '2026-01-02', rate: '5.0871', source: 'A test' }),
  setRate: () => ({ country: 'SE', from: '2040-01-01', rate: 26, source: 'A test' }),
  editOperator: () => companyInput,
  edit: () => departmentInput,
  tag: () => ({ tags: ['vip'] }),
  merge: ({ ids }) => ({ into_id: ids.tickets }),
  runMacro: ({ ids }) => ({ answer_id: ids['canned-answers'], body: 'Hello' }),
  save: () => ({ mail_from: 'Acme <mail@acme.example>' }),
  'brands save': () => ({
    name: 'Acme',
    accent: null,
    legal_en: null,
    legal_ro: null,
    letters_en: null,
    letters_ro: null,
  }),
  clear: () => ({ group: 'mail' }),
  add: () => ({ name: 'New', url: 'https://engine.example.com', is_default: false }),
  'desk-engines edit': () => ({ name: 'New', url: 'https://engine.example.com' }),
  'desk-departments add': () => ({ code: 'partners', requires_billing: false, ...departmentInput }),
  ...planInputs,
  addSeries: () => ({ kind: 'proforma', prefix: 'MATRIX' }),
  ...policyInputs,
  giveList: () => ({ list: null, from: '2040-01-01' }),
  current: () => ({ kind: 'terms' }),
  publish: () => ({
    kind: 'terms',
    version: 'new',
    from_day: '2040-01-01',
    body_en: 'Text',
    body_ro: 'Text',
  }),
  refund: () => ({ reason: 'Not needed' }),
  addEmail: () => ({ email: 'new@example.com' }),
  suspendPanel: ({ ids }) => ({ panel_id: ids.panels, kind: 'abuse' }),
  resumePanel: ({ ids }) => ({ panel_id: ids.panels }),
  retryPanel: ({ ids }) => ({ panel_id: ids.panels }),
  syncPanel: ({ ids }) => ({ panel_id: ids.panels }),
  flag: () => ({ flags: ['vip'] }),
  suspendClient: () => ({ kind: 'abuse' }),
  holdDunning: () => ({ until: new Date(Date.now() + dayMs).toISOString().slice(0, 10) }),
  answerDispute: () => ({ text: 'The server ran and was used' }),
  setTerms: () => ({ due_days: 30 }),
  erase: () => ({ email: 'owner@example.com' }),
  invite: () => ({ email: `${randomUUID()}@example.com`, display_name: 'New', role: 'support' }),
  setRole: () => ({ role: 'billing' }),
  goodwill: () => ({ amount: 1 }),
  adjust: () => ({ amount: 5, direction: 'up' }),
  writeOff: () => ({}),
  creditNote: () => ({ reason: 'Wrong price' }),
  manualInvoice: () => ({ lines: sold }),
  requestProforma: ({ owner }) => ({ client_id: owner.id, net: 50 }),
  recordBankTransfer: () => ({ amount: 60.5, received_on: '2026-01-02', reference: 'OP 1' }),
  storno: () => ({ reason: 'the number is valid now' }),
  requestCopyByEmail: () => ({ emails: ['new@example.com'] }),
  importStatement: () => ({ filename: 'a.xml', content: '' }),
  matchLine: ({ owner }) => ({ client_id: owner.id }),
  assign: () => ({ admin_id: null }),
  grantStaffAccess: () => ({ hours: 4 }),
  move: () => ({ department: 'sales' }),
  rate: () => ({ rating: 'good' }),
}

/** The query of each action that only reads. */
const queries: Readonly<Record<string, (world: World) => string>> = {
  'plans quote': ({ owner }) => `?payload[plan]=web-3&payload[client_id]=${owner.id}`,
  find: () => '?payload[search]=ana',
  recipients: () => '?payload[audience]=all',
  'reports figures': () => '?payload[from]=2026-01-01&payload[to]=2026-01-31',
  offers: () => '?payload[country]=RO',
  quote: ({ owner }) => `?payload[purpose]=deposit&payload[amount]=50&payload[client_id]=${owner.id}`,
  quotePlan: () => '?payload[plan]=unknown',
  preview: () => '?payload[token]=unknown',
  summary: () => `?payload=${encodeURIComponent('{"group_by":["day"]}')}`,
  getServiceBillsSum: ({ owner }) => `?payload[client_id]=${owner.id}`,
}

/** One thing that is asked: a row of the table. */
export type Probe = {
  readonly name: string
  /** Whether what is asked for changes something when it is granted. */
  readonly writes: boolean
  /** The answers that the cell speaks of: of a relationship, what is related and the linkage. */
  readonly ask: (visitor: Visitor, world: World) => Promise<readonly Answer[]>
  /** The cell for a response: its status, or the number of rows of a list. */
  readonly cell: (answer: Answer) => string
}

const status = (answer: Answer): string => String(answer.status)
const held = (answer: Answer): string =>
  answer.status === 200 ? `holds ${answer.page.total}` : String(answer.status)

const one = ({ name, path }: Model, { ids }: World) => `${path}/${ids[name]}`

type Sending = Pick<Probe, 'writes' | 'ask'>

const send = (method: Method, path: (world: World) => string, body?: (world: World) => unknown): Sending => ({
  writes: method !== 'GET',
  ask: async (visitor, world) => [
    await visitor.call(method, path(world), {
      ...(body && { body: body(world) }),
      // Every POST accepts an idempotency key, so all send one.
      ...(method === 'POST' && { headers: { 'idempotency-key': randomUUID() } }),
    }),
  ],
})

/** A relationship is read in two ways, which must say the same. */
function readProbe(model: Model, name: string, many: boolean): Probe {
  const paths = (world: World) => [name, `relationships/${name}`].map((end) => `${one(model, world)}/${end}`)
  return {
    name,
    writes: false,
    cell: many ? held : status,
    ask: (visitor, world) => Promise.all(paths(world).map((path) => visitor.get(path))),
  }
}

function relationProbes(model: Model): Probe[] {
  return [...model.relations.values()].flatMap(({ name, kind, target }) => {
    const many = kind === 'to-many'
    const read = readProbe(model, name, many)
    if (!model.contract.update.includes(name)) return [read]
    const body = ({ ids, beyond }: World) => {
      const to = linkage(target.name, name === 'project' ? beyond.projects : (ids[target.name] ?? 0))
      return many ? { data: [to.data] } : to
    }
    const methods: Method[] = many ? ['POST', 'PATCH', 'DELETE'] : ['PATCH']
    const path = (world: World) => `${one(model, world)}/relationships/${name}`
    const writes = methods.map(
      (method): Probe => ({ name: `${method} ${name}`, cell: status, ...send(method, path, body) }),
    )
    return [read, ...writes]
  })
}

function actionProbes(model: Model): Probe[] {
  return Object.entries(model.contract.actions).map(([name, { method, on }]) => {
    const path = (world: World) => `${on === 'one' ? one(model, world) : model.path}/-actions/${name}`
    const query = (world: World) =>
      method === 'GET' ? ((queries[`${model.name} ${name}`] ?? queries[name])?.(world) ?? '') : ''
    return {
      name: `${name}()`,
      cell: status,
      ...send(
        method,
        (world) => path(world) + query(world),
        method === 'GET' ? undefined : (inputs[`${model.name} ${name}`] ?? inputs[name] ?? (() => ({}))),
      ),
    }
  })
}

/** Every verb that a type offers, each a row; `beyond`: a row that those do not see to whom one panel is opened. */
export function probesOf(model: Model): Probe[] {
  const { name, path, contract } = model
  const filter = Object.hasOwn(contract.filters, 'client_id') ? 'filter[client_id]=' : undefined
  const listed = ({ owner }: World) => {
    if (name === 'client-panels') return `${path}?filter[owner_id]=${owner.id}`
    return filter ? `${path}?${filter}${owner.id}` : path
  }
  const document = (world: World) => ({
    data: { type: name, id: String(world.ids[name]), attributes: changes[name] ?? {} },
  })
  const probes: Probe[] = [{ name: 'list', cell: model.lookup ? status : held, ...send('GET', listed) }]
  if (model.lookup) return probes
  probes.push({ name: 'get', cell: status, ...send('GET', (world) => one(model, world)) })
  if (['projects', 'panels', 'servers', 'clusters', 'domains'].includes(name))
    probes.push({
      name: 'get another',
      cell: status,
      ...send('GET', ({ beyond }) => `${path}/${beyond[name]}`),
    })
  if (creations[name])
    probes.push({ name: 'create', cell: status, ...send('POST', () => path, creations[name]) })
  if (changes[name])
    probes.push({ name: 'update', cell: status, ...send('PATCH', (world) => one(model, world), document) })
  if (contract.delete)
    probes.push({ name: 'delete', cell: status, ...send('DELETE', (world) => one(model, world)) })
  return [...probes, ...relationProbes(model), ...actionProbes(model)]
}
