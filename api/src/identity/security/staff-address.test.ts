import { readFileSync } from 'node:fs'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, newestLetter, testVault } from '#test/support/mail.ts'
import { browsersOn } from '#test/support/people.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { makeMember } from '#test/support/staff.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { makeTicket } from '#test/support/ticket.ts'
import { inboundMailParts } from '#tickets/inbound/inbound-mail-parts.ts'
import { keepMail, readInbox } from '#tickets/inbound/mail-in.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool, { env: { rateLimitScale: 100_000 } })
const browsers = browsersOn(app)
const env = { replyAddress: 'reply@support.example', mailAuthserv: 'mx', tokenSecret, seed: 'none' as const }
const files = { storage: await localStorage(temporaryFolder().folder), scanner: noScanner }
const room = inboundMailParts({ env, pool, clock: { now: () => new Date() }, vault: testVault, files })

/** What becomes of an answer to a letter that a member of staff got. */
async function answer(ticketId: number, id: number, from: string) {
  const lines = [
    'Authentication-Results: mx; dmarc=pass',
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    `From: <${from}>`,
    `To: <${room.replies?.of({ ticketId, kind: 'staff', id })}>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    'It runs again',
  ]
  return readInbox(room, await keepMail(db, Buffer.from(lines.join('\r\n'))))
}

const rowOf = async (id: number) =>
  db.selectFrom('admins').select(['email', 'invite_hash']).where('id', '=', id).executeTakeFirstOrThrow()

/** Changes the address of a member by the link of the letter. */
async function move(from: string, to: string) {
  const browser = browsers()
  await browser.signIn(from)
  await browser.send('POST', '/api/user/email', { email: to })
  const { link } = await newestLetter(pool, to, 'email-change-confirm')
  const token = link.split('=')[1]
  const done = await browsers().ask({ method: 'POST', url: '/auth/email/confirm', payload: { token } })
  expect(done.statusCode).toBe(200)
}

test('a member who changed their address answers tickets from the new one alone, and letters go there', async () => {
  const [member, chief] = [await makeMember(pool, 'admin'), await makeMember(pool, 'admin')]
  const { ticket } = await makeTicket(pool, { client: (await makeAccount(pool)).id, admin: member.admin })
  expect(await answer(ticket, member.admin, member.email)).toBe('posted')
  await move(member.email, 'Moved@staff.example')
  expect((await rowOf(member.admin)).email).toBe('Moved@staff.example')
  expect(await answer(ticket, member.admin, member.email)).toBe('unverified')
  expect(await answer(ticket, member.admin, 'moved@staff.example')).toBe('posted')
  const { rows } =
    await sql`select a.origin, a.reason from staff_action_changes c join staff_actions a on a.id = c.action_id
    where c.table_name = 'admins' and c.row_id = ${String(member.admin)} and c.after ? 'email' and a.origin <> 'sql'`.execute(
      db,
    )
  expect(rows).toEqual([{ origin: 'portal', reason: 'address of staff changed' }])
  const browser = browsers()
  await browser.signIn(chief.email)
  expect((await lettersTo(pool, 'Moved@staff.example')).map(({ kind }) => kind)).toContain('staff-new-device')
})

test('an invitation to the address of a member, which nobody can accept any more, gives it up', async () => {
  const [member, chief] = [await makeMember(pool, 'support'), await makeMember(pool, 'admin')]
  const browser = browsers({ headers: { 'portico-reason': 'She joins' } })
  await browser.signIn(chief.email)
  const invited = await browser.send('POST', `${base}/desk-staff/-actions/invite`, {
    data: { email: 'second@staff.example', display_name: 'Ioana', role: 'support', language: 'en' },
  })
  expect(invited.statusCode).toBe(200)
  const { id } = await db
    .selectFrom('admins')
    .select('id')
    .where('email', '=', 'second@staff.example')
    .executeTakeFirstOrThrow()
  await move(member.email, 'second@staff.example')
  expect((await rowOf(member.admin)).email).toBe('second@staff.example')
  expect(await rowOf(id)).toEqual({ email: `${id}@released.invalid`, invite_hash: null })
})

test('the migration mends addresses of before, also where two members exchanged theirs', async () => {
  const [one, other, third] = [
    await makeMember(pool, 'support'),
    await makeMember(pool, 'support'),
    await makeMember(pool, 'support'),
  ]
  const rename = (id: number, email: string) =>
    db.updateTable('admins').set({ email }).where('id', '=', id).execute()
  await rename(one.admin, 'aside@staff.example')
  await rename(other.admin, one.email)
  await rename(one.admin, other.email)
  await rename(third.admin, 'former@staff.example')
  const { id } = await db
    .insertInto('admins')
    .values({ email: third.email, display_name: 'Invited', role: 'support' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = new URL('../../platform/db/migrations/0397-addresses-of-staff.sql', import.meta.url)
  const statements = readFileSync(file, 'utf8')
    .split(';')
    .filter((one) => one.trim() !== '')
  for (const one of statements) await sql.raw(one).execute(db)
  for (const { admin, email } of [one, other, third]) expect((await rowOf(admin)).email).toBe(email)
  expect((await rowOf(id)).email).toBe(`${id}@released.invalid`)
})
