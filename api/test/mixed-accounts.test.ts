import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Account } from './support/account.ts'
import type { Answer } from './support/answer.ts'
import { addCard, makePayer } from './support/card.ts'
import { testPortal, type Visitor } from './support/portal.ts'
import { custom, entry } from './support/share.ts'
import { makeTicket } from './support/ticket.ts'

// A guest with full access to another account also has an own one: nothing may end up in the wrong account.

const portal = await testPortal()
const db = portal.pool.kysely

let owner: Account
let guest: Account
let visitor: Visitor

beforeEach(async () => {
  owner = await makePayer(portal)
  guest = await makePayer(portal)
  await portal.share(owner, guest, {
    billing: 'allowed',
    tickets: 'allowed',
    ...custom(entry(owner.projects[0])),
  })
  visitor = portal.as(guest)
})

const linkage = (type: string, id: unknown) => ({ data: { type, id: String(id) } })
const refusedWith = ({ status, errors }: Answer) => [status, errors[0]?.code, errors[0]?.source]

async function opens(attributes: object, related: object): Promise<Answer> {
  const { id } = await db
    .selectFrom('ticket_departments')
    .select('id')
    .where('code', '=', 'technical')
    .executeTakeFirstOrThrow()
  return visitor.post(`${base}/tickets`, {
    data: {
      type: 'tickets',
      attributes: { subject: 'Slow', description: 'Since noon', ...attributes },
      relationships: { ticketDepartment: linkage('ticket-departments', id), ...related },
    },
  })
}

test('a ticket of one account is not about a panel of the other', async () => {
  const answer = await opens({ client_id: guest.id }, { panel: linkage('panels', owner.panels[0]) })
  const source = { pointer: '/data/relationships/panel' }
  expect(refusedWith(answer)).toEqual([422, 'ticket_panel_of_other_account', source])
})

test('a ticket of one account does not follow a ticket of the other', async () => {
  const { ticket } = await makeTicket(portal.pool, { client: owner.id, panel: owner.panels[0] ?? null })
  const answer = await opens({ client_id: guest.id }, { follows: linkage('tickets', ticket) })
  const source = { pointer: '/data/relationships/follows' }
  expect(refusedWith(answer)).toEqual([422, 'ticket_followed_of_other_account', source])
})

test('a ticket of one account does not notify an address of the other', async () => {
  const { ticket } = await makeTicket(portal.pool, { client: owner.id, panel: owner.panels[0] ?? null })
  const { email } = await makeTicket(portal.pool, { client: guest.id })
  const answer = await visitor.post(`${base}/ticket-ticket-emails`, {
    data: {
      type: 'ticket-ticket-emails',
      relationships: { ticket: linkage('tickets', ticket), ticketEmail: linkage('ticket-emails', email) },
    },
  })
  const source = { pointer: '/data/relationships/ticketEmail' }
  expect(refusedWith(answer)).toEqual([422, 'ticket_email_of_other_account', source])
})

test('automatic payment of one account does not charge a card of the other', async () => {
  const answer = await visitor.post(`${base}/automated-billing-rules`, {
    data: {
      type: 'automated-billing-rules',
      attributes: { client_id: owner.id, threshold_amount: 15, recharge_amount: 50 },
      relationships: { card: linkage('cards', await addCard(portal, guest)) },
    },
  })
  const source = { pointer: '/data/relationships/card' }
  expect(refusedWith(answer)).toEqual([422, 'automatic_card_foreign', source])
})

test('a key of one account does not reach a workspace of the other', async () => {
  const answer = await visitor.post(`${base}/api-keys`, {
    data: {
      type: 'api-keys',
      attributes: { name: 'deploy', scopes: ['panels:read'], allowed_ips: ['192.0.2.1'], expires_at: null },
      relationships: { project: linkage('projects', owner.projects[0]) },
    },
  })
  const source = { pointer: '/data/relationships/project' }
  expect(refusedWith(answer)).toEqual([422, 'api_key_workspace_not_own', source])
})

test('a panel of one account does not move to a workspace of the other', async () => {
  const answer = await portal.as(owner).patch(`${base}/panels/${owner.panels[0]}`, {
    data: {
      type: 'panels',
      id: String(owner.panels[0]),
      relationships: { project: linkage('projects', guest.projects[0]) },
    },
  })
  expect(refusedWith(answer).slice(0, 2)).toEqual([404, 'not_found'])
})

test('none of it left anything behind', async () => {
  const { rows } = await sql`select id from automated_billing_rules union all select id from tickets
    where subject = 'Slow'`.execute(db)
  expect(rows).toEqual([])
})
