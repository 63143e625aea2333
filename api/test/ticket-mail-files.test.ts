import fs from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type FileScanner, noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { inboundMailParts } from '#tickets/inbound/inbound-mail-parts.ts'
import { keepFiles } from '#tickets/inbound/mail-files.ts'
import { keepMail, readInbox, takeMail } from '#tickets/inbound/mail-in.ts'
import { testDatabase } from './support/database.ts'
import { testVault } from './support/mail.ts'
import { person } from './support/people.ts'
import { tokenSecret } from './support/secret.ts'
import { temporaryFolder } from './support/temporary.ts'
import { makeAdmin, makeTicket } from './support/ticket.ts'

// Files of a mail are stored only with a posted message, and the text of the mail is never lost because of a file.

const { pool } = await testDatabase()
const db = pool.kysely
const storage = await localStorage(temporaryFolder().folder)
const held = new Set<string>()
let scanner = noScanner
let full = false
const files = {
  scanner: ((file) => scanner(file)) satisfies FileScanner,
  storage: {
    ...storage,
    keep: async (key: string, file: string) => {
      if (full) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      await storage.keep(key, file)
      held.add(key)
    },
    remove: async (key: string) => {
      await storage.remove(key)
      held.delete(key)
    },
  },
}
const env = { replyAddress: 'reply@support.example', mailAuthserv: 'mx', tokenSecret, seed: 'none' as const }
const room = inboundMailParts({ env, pool, clock: { now: () => new Date() }, vault: testVault, files })
const ana = await person(pool, 'ana@example.com')

let mails = 0
type Written = {
  from?: string
  text?: string
  id?: string
  kind?: 'client' | 'staff'
  who?: number
  files?: string[]
}

/** Has a mail with a file read that answers a letter about a ticket; returns what became of it. */
async function receive(ticket: number, written: Written = {}) {
  const { from = 'ana@example.com', text = 'See this', id = `<${++mails}@example.com>` } = written
  const { kind = 'client', who = ana.id, files: names = ['a.log'] } = written
  const lines = [
    'Authentication-Results: mx; dmarc=pass',
    `Message-ID: ${id}`,
    `From: <${from}>`,
    `To: <${room.replies?.of({ ticketId: ticket, kind, id: who })}>`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    ...names.flatMap((name) => [
      '--b',
      'Content-Type: text/plain',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      'line',
    ]),
    '--b--',
  ]
  return readInbox(room, await keepMail(db, Buffer.from(lines.join('\r\n'))))
}

const messagesOf = (ticket: number) =>
  db.selectFrom('ticket_messages').selectAll().where('ticket_id', '=', ticket).orderBy('id').execute()

test('files of a message are kept; files of forged, repeated or failed mail are not', async () => {
  const { ticket } = await makeTicket(pool, { client: ana.id })
  expect(await receive(ticket, { id: '<once@example.com>' })).toBe('posted')
  const kept = [...held]
  expect(kept).toHaveLength(1)
  const keepFile = vi.spyOn(room, 'keepFile')
  expect(await receive(ticket, { id: '<once@example.com>' })).toBe('ignored')
  expect(await receive(ticket, { from: 'eve@example.com' })).toBe('unverified')
  expect(keepFile).not.toHaveBeenCalled()
  keepFile.mockRestore()
  await sql`alter table ticket_files add constraint broken check (filename <> 'a.log') not valid`.execute(db)
  await expect(receive(ticket)).rejects.toThrow('broken')
  await sql`alter table ticket_files drop constraint broken`.execute(db)
  expect([...held]).toEqual(kept)
})

test('the text is posted when the files exceed the limit, and staff read which were left out', async () => {
  const { ticket, files: made } = await makeTicket(pool, { client: ana.id })
  await sql`update ticket_files set size = 524288000 where id = ${made[0]}`.execute(db)
  const before = held.size
  expect(await receive(ticket, { text: 'No room?' })).toBe('posted')
  await sql`update ticket_files set size = 12 where id = ${made[0]}`.execute(db)
  const [words, said] = (await messagesOf(ticket)).slice(-2)
  expect(words).toMatchObject({ body: 'No room?', author_client_id: ana.id, visibility: 'public' })
  expect(said).toMatchObject({ visibility: 'internal', body: expect.stringContaining('a.log') })
  expect(held.size).toBe(before)
})

test('files of forbidden types are left out, and staff read which', async () => {
  const { ticket } = await makeTicket(pool, { client: ana.id })
  const before = held.size
  scanner = async (file) => ((await fs.readFile(file, 'utf8')).includes('line') ? 'infected' : 'clean')
  const names = ['bad.log', 'run.exe', 'a.png']
  expect(await receive(ticket, { text: 'See these', files: names })).toBe('posted')
  scanner = noScanner
  const [words, said] = (await messagesOf(ticket)).slice(-2)
  expect(words).toMatchObject({ body: 'See these', visibility: 'public' })
  expect(said).toMatchObject({ visibility: 'internal', body: expect.stringContaining(names.join(', ')) })
  expect(held.size).toBe(before)
})

test('mail waits while files cannot be scanned or stored; a full storage alerts staff', async () => {
  const { ticket } = await makeTicket(pool, { client: ana.id })
  const before = await messagesOf(ticket)
  const mail = { id: '<waits@example.com>', text: 'Patience' }
  scanner = () => Promise.reject(new Error('clamd is away'))
  await expect(receive(ticket, mail)).rejects.toMatchObject({ code: 'files_not_checked' })
  scanner = noScanner
  full = true
  await expect(receive(ticket, mail)).rejects.toMatchObject({ code: 'storage_full' })
  full = false
  expect(await db.selectFrom('staff_alerts').select('kind').execute()).toEqual([{ kind: 'storage_full' }])
  expect(await messagesOf(ticket)).toEqual(before)
  expect(await receive(ticket, mail)).toBe('posted')
})

test('a mail may have five files and 25 MB, and its text is posted in any case', async () => {
  const { ticket } = await makeTicket(pool, { client: ana.id })
  const names = ['1.log', '2.log', '3.log', '4.log', '5.log', '6.log']
  expect(await receive(ticket, { text: 'All of it', files: names })).toBe('posted')
  const [message, said] = (await messagesOf(ticket)).slice(-2)
  expect(message?.body).toBe('All of it')
  expect(said?.body).toContain('6.log')
  const attached = await db
    .selectFrom('ticket_files')
    .select('filename')
    .where('ticket_message_id', '=', message?.id ?? 0)
    .orderBy('id')
    .execute()
  expect(attached.map(({ filename }) => filename)).toEqual(names.slice(0, 5))

  const content = Buffer.alloc(9 * 1_048_576)
  const attachments = names.slice(0, 3).map((filename) => ({ filename, content }))
  const lookedInto: string[] = []
  const keepFile = async (filename: string) => {
    lookedInto.push(filename)
    return undefined
  }
  const mail = await room.readMail(Buffer.from('From: <ana@example.com>\r\n\r\nSee this'))
  await keepFiles({ keepFile }, { ...mail, attachments }, { kept: [], leftOut: [] })
  expect(lookedInto).toEqual(['1.log', '2.log'])
})

test('an answer of staff to a closed ticket is kept as a note', async () => {
  const admin = await makeAdmin(pool)
  const { ticket } = await makeTicket(pool, { client: ana.id, admin })
  const { email } = await db
    .updateTable('admins')
    .set({ email: 'sorin@example.com' })
    .where('id', '=', admin)
    .returning('email')
    .executeTakeFirstOrThrow()
  await sql`update tickets set assigned_admin_id = ${admin}, ticket_status_id = 6,
    closed_at = now() - interval '31 days' where id = ${ticket}`.execute(db)
  const before = held.size
  expect(
    await receive(ticket, { kind: 'staff', who: admin, from: String(email), text: 'It is mended.' }),
  ).toBe('unverified')
  expect((await messagesOf(ticket)).at(-1)).toMatchObject({
    visibility: 'internal',
    source: 'system',
    body: expect.stringContaining('It is mended.'),
  })
  expect(held.size).toBe(before)
})

test('an unreadable mail is tried three times, one at a time, and then set aside', async () => {
  const deep = Array.from({ length: 300 }, (_, n) => [
    `Content-Type: multipart/mixed; boundary=b${n}`,
    '',
    `--b${n}`,
  ])
  const id = await takeMail(db, Buffer.from(deep.flat().join('\r\n')), 'msg_deep')
  const { rows } = await sql<{ queue: string }>`select j.queue_name as queue from graphile_worker.jobs j
    join graphile_worker._private_jobs p on p.id = j.id where (p.payload->>'mailId')::bigint = ${id}`.execute(
    db,
  )
  expect(rows).toEqual([{ queue: 'ticket.mail-in' }])
  for (const tries of [1, 2]) await expect(readInbox(room, id, tries)).rejects.toThrow('nesting')
  expect(await readInbox(room, id, 3)).toBe('ignored')
  const kept = db.selectFrom('mail_inbox').select(['state', 'reason']).where('id', '=', id)
  expect(await kept.executeTakeFirst()).toEqual({ state: 'ignored', reason: 'It cannot be read.' })
})
