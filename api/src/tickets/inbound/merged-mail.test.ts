import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { makeAccount } from '#test/support/account.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { inboundMailParts } from './inbound-mail-parts.ts'
import { keepMail, readInbox } from './mail-in.ts'

// Replies to letters about a ticket that was merged into another one.

const portal = await testPortal()
const { pool } = portal
const admin = await makeAdmin(pool)
const env = { replyAddress: 'reply@support.example', mailAuthserv: 'mx', tokenSecret, seed: 'none' as const }
const files = { storage: await localStorage(temporaryFolder().folder), scanner: noScanner }
const room = inboundMailParts({ env, pool, clock: { now: () => new Date() }, vault: testVault, files })

type Kind = 'client' | 'staff' | 'email'

async function reply(ticketId: number, kind: Kind, id: number, from: string) {
  const lines = [
    'Authentication-Results: mx; dmarc=pass',
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    `From: <${from}>`,
    `To: <${room.replies?.of({ ticketId, kind, id })}>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `From ${from}`,
  ]
  return readInbox(room, await keepMail(pool.kysely, Buffer.from(lines.join('\r\n'))))
}

async function merged() {
  const [owner, guest] = [await makeAccount(pool, { projects: 1 }), await makeAccount(pool)]
  await pool.kysely
    .updateTable('clients')
    .set({ email_verified_at: 'now' })
    .where('id', 'in', [owner.id, guest.id])
    .execute()
  await portal.share(owner, guest, { tickets: 'allowed', workspace_resources: 'all' })
  const into = await makeTicket(pool, { client: owner.id, admin })
  const from = await makeTicket(pool, { client: owner.id, opener: guest.id, admin })
  const addBoth = async (who: typeof owner, ticket: number) => {
    const path = `${base}/tickets/${ticket}/-actions/addEmail`
    expect((await portal.as(who).post(path, { email: 'both@example.com' })).status).toBe(200)
  }
  await addBoth(owner, into.ticket)
  await addBoth(guest, from.ticket)
  // The guest's entry is another one with the same address.
  const double = await pool.kysely
    .selectFrom('ticket_emails')
    .select('id')
    .where('client_id', '=', owner.id)
    .where('added_by', '=', guest.id)
    .executeTakeFirstOrThrow()
  const path = `${base}/tickets/${from.ticket}/-actions/merge`
  expect((await portal.staff(admin).post(path, { data: { into_id: into.ticket } })).status).toBe(200)
  return { owner, guest, into, from, double: double.id }
}

const bodies = async (ticket: number) => {
  const rows = pool.kysely.selectFrom('ticket_messages').select(['body', 'visibility'])
  return (await rows.where('ticket_id', '=', ticket).orderBy('id').execute()).slice(-1)
}

test('whoever was written to about the merged ticket answers into the other', async () => {
  const { owner, guest, into, from, double } = await merged()
  const { email } = await pool.kysely
    .selectFrom('ticket_emails')
    .select('email')
    .where('id', '=', from.email)
    .executeTakeFirstOrThrow()
  for (const [kind, id, address] of [
    ['client', owner.id, owner.email],
    ['client', guest.id, guest.email],
    ['email', from.email, email],
    ['email', double, 'both@example.com'],
  ] as const) {
    expect(await reply(from.ticket, kind, id, address)).toBe('posted')
    expect(await bodies(into.ticket)).toEqual([{ body: `From ${address}`, visibility: 'public' }])
  }
  // What is not believed is a note there as well.
  expect(await reply(from.ticket, 'client', guest.id, 'eve@example.com')).toBe('unverified')
  expect(await bodies(into.ticket)).toMatchObject([{ visibility: 'internal' }])
})

test('an answer is mailed to the openers and addresses of both, once each', async () => {
  const { owner, guest, into, from } = await merged()
  const addresses = await pool.kysely
    .selectFrom('ticket_emails')
    .select('email')
    .where('id', 'in', [from.email, into.email])
    .execute()
  const body = {
    data: {
      type: 'ticket-messages',
      attributes: { body: 'Solved' },
      relationships: { ticket: { data: { type: 'tickets', id: String(into.ticket) } } },
    },
  }
  expect((await portal.staff(admin).post(`${base}/ticket-messages`, body)).status).toBe(201)
  for (const to of [owner.email, guest.email, ...addresses.map(({ email }) => email)]) {
    const letters = (await lettersTo(pool, to)).filter(({ kind }) => kind === 'ticket-message')
    expect(letters).toMatchObject([{ lines: ['Solved'], to: { ticketId: into.ticket } }])
  }
  expect(portal.bugs).toEqual([])
})
