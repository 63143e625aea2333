import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const url = '/api/v1/clients/-actions/waiting'

// On the first of a month with 31 days, a card of this month does not end within thirty.
await businessTime(pool, '2026-11-20T10:00:00Z')

const nothing = { notifications: 0, tickets: 0, invitations: 0, sent: 0, cards: 0 }

/** A person whose address is confirmed. */
async function someone() {
  const account = await makeAccount(pool, { projects: 2, panels: 1 })
  await sql`update clients set email_verified_at = now() where id = ${account.id}`.execute(db)
  return account
}

const waiting = async (one: { readonly id: number }) =>
  (await portal.as(one).get(url)).json as Record<string, number>

const notifyOf = (client: number) =>
  sql`insert into notifications (client_id, kind) values (${client}, 'balance_low')`.execute(db)

/** An invitation that nobody has answered yet. */
async function invite(owner: { readonly id: number }, email: string, link = '2100-01-01') {
  await sql`with permission as (
      insert into share_permissions (inviting_client_id) values (${owner.id}) returning id)
    insert into share_invitations (permission_id, client_id, first_name, last_name, invited_email, last_sent_at, link_expires_at)
    select id, ${owner.id}, 'Radu', 'Pop', ${email}, now(), ${link}::timestamptz from permission`.execute(db)
}

/** A card whose last month ends in so many months; 0 is this month. */
const card = (client: number, months: number) =>
  sql`insert into cards (client_id, provider, provider_ref, customer_ref, brand, last4, exp_month, exp_year, fingerprint)
    select ${client}, 'sandbox', gen_random_uuid()::text, 'cus', 'visa', '4242', extract(month from d), extract(year from d),
      gen_random_uuid()::text from (select clock_today() + make_interval(months => ${months}::int) as d) at`.execute(
    db,
  )

test('the owner has unread news, answered tickets, invitations and ending cards counted, and a stranger nothing', async () => {
  const [ana, radu] = [await someone(), await someone()]
  await notifyOf(ana.id)
  await makeTicket(pool, { client: ana.id })
  const { ticket: done } = await makeTicket(pool, { client: ana.id })
  await sql`update tickets set ticket_status_id = (select id from ticket_statuses where code = 'resolved')
    where id = ${done}`.execute(db)
  await invite(ana, radu.email.toUpperCase())
  await card(ana.id, 0)
  await card(ana.id, 24)
  expect(await waiting(ana)).toEqual({ notifications: 1, tickets: 1, invitations: 0, sent: 1, cards: 1 })
  expect(await waiting(radu)).toEqual({ ...nothing, invitations: 1 })
  expect(await waiting(await someone())).toEqual(nothing)
  await sql`update notifications set read_at = now() where client_id = ${ana.id}`.execute(db)
  await sql`update cards set status = 'expired' where client_id = ${ana.id}`.execute(db)
  expect(await waiting(ana)).toMatchObject({ notifications: 0, cards: 0 })
})

test('an invitation waits for a confirmed address only, while its link is valid', async () => {
  const [ana, radu] = [await someone(), await someone()]
  await invite(ana, radu.email, '2020-01-01')
  expect(await waiting(radu)).toEqual(nothing)
  await sql`update share_invitations set link_expires_at = '2100-01-01' where client_id = ${ana.id}`.execute(
    db,
  )
  expect(await waiting(radu)).toMatchObject({ invitations: 1 })
  await sql`update clients set email_verified_at = null where id = ${radu.id}`.execute(db)
  expect(await waiting(radu)).toEqual(nothing)
})

test('a guest counts the tickets that are shared with them, and no others', async () => {
  const ana = await someone()
  const [first, second] = ana.panels
  await makeTicket(pool, { client: ana.id, panel: first ?? null })
  await makeTicket(pool, { client: ana.id, panel: second ?? null })
  await makeTicket(pool, { client: ana.id, department: 'billing' })
  const tickets = async (access: Parameters<typeof portal.share>[2]) => {
    const guest = await someone()
    await portal.share(ana, guest, access)
    return (await waiting(guest)).tickets
  }
  expect(await tickets({ tickets: 'allowed' })).toBe(2)
  expect(
    await tickets({ tickets: 'allowed', ...custom(entry(ana.projects[0], { access_type: 'all' })) }),
  ).toBe(1)
  expect(await tickets({ billing: 'allowed' })).toBe(1)
  expect(await tickets({})).toBe(0)
  expect(await tickets({ tickets: 'allowed', billing: 'allowed', expires_at: '2020-01-01T00:00:00Z' })).toBe(
    0,
  )
})

test('staff have the news of their own account; a caller without sign-in and a key are refused', async () => {
  const { admin, client } = await makeMember(pool, 'support')
  await notifyOf(client)
  expect((await portal.staff(admin).get(url)).json).toEqual({ ...nothing, notifications: 1 })
  expect((await portal.nobody.get(url)).status).toBe(401)
  const key = await makeKey(pool, { client: (await someone()).id })
  expect((await portal.key(key.id).get(url)).status).toBe(403)
})
