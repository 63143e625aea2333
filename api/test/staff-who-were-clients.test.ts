import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { inboundMailParts } from '#tickets/inbound/inbound-mail-parts.ts'
import { keepMail, readInbox } from '#tickets/inbound/mail-in.ts'
import { type Account, makeAccount } from './support/account.ts'
import { lettersTo, testVault } from './support/mail.ts'
import { testPortal } from './support/portal.ts'
import { tokenSecret } from './support/secret.ts'
import { type Member, makeMember } from './support/staff.ts'
import { temporaryFolder } from './support/temporary.ts'
import { makeAdmin, makeTicket } from './support/ticket.ts'

// Members of staff are no clients: a ticket from before they joined is open to them as staff alone.

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const files = { storage: await localStorage(temporaryFolder().folder), scanner: noScanner }
const clock = { now: () => new Date() }
const env = { replyAddress: 'reply@desk.example', mailAuthserv: 'mx.desk.example', tokenSecret }
const room = inboundMailParts({ env: { ...env, seed: 'none' }, pool, clock, vault: testVault, files })

let member: Member
let customer: Account
let colleague: number
beforeAll(async () => {
  // Tickets and permissions from before the database refused them to staff (0234).
  await sql`alter table tickets disable trigger refuse_staff`.execute(db)
  await sql`alter table share_permissions disable trigger refuse_staff_guest`.execute(db)
  // The role reads no technical ticket.
  member = await makeMember(pool, 'billing')
  customer = await makeAccount(pool, { projects: 1, panels: 0 })
  colleague = await makeAdmin(pool)
})

const ofMember = () => makeTicket(pool, { client: member.client, admin: colleague })

async function answer(ticket: number): Promise<void> {
  const data = {
    type: 'ticket-messages',
    attributes: { body: 'Solved.' },
    relationships: { ticket: { data: { type: 'tickets', id: String(ticket) } } },
  }
  expect((await portal.staff(colleague).post(`${base}/ticket-messages`, { data })).status).toBe(201)
}

const lettersAbout = async (ticket: number) =>
  (await lettersTo(pool, member.email)).flatMap((one) =>
    one.kind === 'ticket-message' && one.to.ticketId === ticket ? [one.to.kind] : [],
  )

/** Hands in a mail as our mail server does, and reads it. */
async function receive(ticket: number, kind: 'client' | 'staff', id: number): Promise<unknown> {
  const raw = [
    'Authentication-Results: mx.desk.example; dmarc=pass header.from=staff.example',
    `Message-ID: <${ticket}-${kind}@staff.example>`,
    `From: <${member.email}>`,
    `To: <${room.replies?.of({ ticketId: ticket, kind, id })}>`,
    'Subject: Re: Slow',
    '',
    'By mail',
  ].join('\r\n')
  return readInbox(room, await keepMail(db, Buffer.from(raw)))
}

const lastOf = (ticket: number) =>
  db
    .selectFrom('ticket_messages')
    .select(['author_client_id', 'author_admin_id', 'visibility', 'body'])
    .where('ticket_id', '=', ticket)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

test('staff get no news as their former client account, and their mail to old letters is only noted', async () => {
  const { ticket } = await ofMember()
  await answer(ticket)
  expect(await lettersAbout(ticket)).toEqual([])
  const bell = await portal.staff(member.admin).get(`${base}/notifications`)
  expect(bell.list.map(({ attributes }) => attributes?.kind)).toEqual([])
  expect(await receive(ticket, 'client', member.client)).toBe('unverified')
  expect(await lastOf(ticket)).toMatchObject({ author_client_id: null, visibility: 'internal' })
})

test('staff who answer the ticket they once opened answer it as staff', async () => {
  const { ticket } = await makeTicket(pool, {
    client: member.client,
    department: 'billing',
    admin: colleague,
  })
  await db.updateTable('tickets').set({ assigned_admin_id: member.admin }).where('id', '=', ticket).execute()
  await answer(ticket)
  expect(await lettersAbout(ticket)).toEqual(['staff'])
  expect(await receive(ticket, 'staff', member.admin)).toBe('posted')
  expect(await lastOf(ticket)).toMatchObject({
    author_client_id: null,
    author_admin_id: member.admin,
    body: 'By mail',
  })
})

test("a former client's shared access is closed to their mail and their added addresses", async () => {
  await portal.share(customer, { id: member.client }, { tickets: 'allowed' })
  const { ticket, email } = await makeTicket(pool, {
    client: customer.id,
    opener: member.client,
    admin: colleague,
  })
  await db
    .updateTable('ticket_ticket_emails')
    .set({ added_by: member.client })
    .where('ticket_id', '=', ticket)
    .execute()
  const { email: added } = await db
    .selectFrom('ticket_emails')
    .select('email')
    .where('id', '=', email)
    .executeTakeFirstOrThrow()
  await answer(ticket)
  expect([await lettersAbout(ticket), await lettersTo(pool, added)]).toEqual([[], []])
  expect(await receive(ticket, 'client', member.client)).toBe('unverified')
  expect(await lastOf(ticket)).toMatchObject({ author_client_id: null, visibility: 'internal' })
})
