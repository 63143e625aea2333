import { type AddressInfo, connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import { sendLetter } from '#notifications/send-letters.ts'
import { noScanner } from '#platform/files/file-scanner.ts'
import { localStorage } from '#platform/files/file-storage.ts'
import { imapMailbox } from '#platform/mail/inbound/imap-mailbox.ts'
import type { Mailbox } from '#platform/mail/inbound/mailbox.ts'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { sign } from '#platform/webhook-signature.ts'
import { inboundMailParts } from '#tickets/inbound/inbound-mail-parts.ts'
import { fetchMail, readInbox } from '#tickets/inbound/mail-in.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { testImap } from './support/imap.ts'
import { lettersTo, testPostOffice, testVault } from './support/mail.ts'
import { Browser, person } from './support/people.ts'
import { tokenSecret } from './support/secret.ts'
import { share } from './support/share.ts'
import { testSmtp } from './support/smtp.ts'
import { temporaryFolder } from './support/temporary.ts'
import { makeAdmin } from './support/ticket.ts'

// Ticket mail in both directions, with replies arriving at the webhook for mail.

const { pool } = await testDatabase()
const db = pool.kysely
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const mailEnv = { replyAddress: 'reply@support.example', mailAuthserv: 'mx.support.example' }
const files = { storage: await localStorage(temporaryFolder().folder), scanner: noScanner }
const env = { ...mailEnv, tokenSecret, seed: 'none' as const, mailInboundSecret: secret }
const { app } = await testApp(pool, { env, files })
const room = inboundMailParts({ env, pool, clock: { now: () => new Date() }, vault: testVault, files })
const { replies } = room
if (replies === undefined) throw new Error('Answers are read here.')

const ana = await person(pool, 'ana@example.com')
const mihai = await person(pool, 'mihai@example.com')
const browser = new Browser(app)
const admin = await makeAdmin(pool)
const staffAccount = await person(pool, 'sorin@example.com')
const staff = new Browser(app)
beforeAll(async () => {
  await db
    .updateTable('admins')
    .set({ auth_id: staffAccount.accountId, email: 'sorin@example.com' })
    .where('id', '=', admin)
    .execute()
  await browser.signIn('ana@example.com')
  await staff.signIn('sorin@example.com')
})

const post = async (who: Browser, path: string, data: object) =>
  (
    await who.ask({
      method: 'POST',
      url: `${base}/${path}`,
      headers: {
        authorization: `Bearer ${who.cookies.get('token')}`,
        'content-type': 'application/vnd.api+json',
      },
      payload: { data },
    })
  ).json()

async function openTicket(more: object = {}): Promise<number> {
  const { id } = await db
    .selectFrom('ticket_departments')
    .select('id')
    .where('code', '=', 'technical')
    .executeTakeFirstOrThrow()
  const made = await post(browser, 'tickets', {
    type: 'tickets',
    attributes: { subject: 'Slow', description: 'Since noon', ...more },
    relationships: { ticketDepartment: { data: { type: 'ticket-departments', id: String(id) } } },
  })
  await sql`update tickets set created_at = created_at - interval '2 minutes'`.execute(db)
  if (!made.data) throw new Error(JSON.stringify(made))
  return Number(made.data.id)
}

const say = (who: Browser, ticket: number, body: string) =>
  post(who, 'ticket-messages', {
    type: 'ticket-messages',
    attributes: { body },
    relationships: { ticket: { data: { type: 'tickets', id: String(ticket) } } },
  })

const lettersAbout = async (to: string, ticket: number) =>
  (await lettersTo(pool, to)).filter((one) => one.kind === 'ticket-message' && one.to.ticketId === ticket)

let mails = 0
type Written = {
  to: string
  from?: string
  text?: string
  results?: string | null
  headers?: readonly string[]
  id?: string
}

/** A mail as our mail server hands it over, with what it found of the sender on top. */
function mailOf({ to, from = 'ana@example.com', text = 'Still slow', ...more }: Written): string {
  const { results = 'mx.support.example; dmarc=pass header.from=example.com', headers = [], id } = more
  return [
    ...(results === null ? [] : [`Authentication-Results: ${results}`]),
    ...headers,
    `Message-ID: ${id ?? `<mail-${++mails}@example.com>`}`,
    `From: Ana <${from}>`,
    `To: <${to}>`,
    'Subject: Re: Slow',
    ...(headers.some((one) => /^content-type/i.test(one)) ? [] : ['Content-Type: text/plain; charset=utf-8']),
    '',
    text,
  ].join('\r\n')
}

async function deliver(raw: string | Buffer, id = `msg_${++mails}`): Promise<number> {
  const bytes = Buffer.from(raw)
  const headers = sign([secret], bytes.toString(), { id })
  const answer = await app.inject({
    method: 'POST',
    url: '/mail/v1/inbound',
    headers: { ...headers, 'content-type': 'message/rfc822' },
    payload: bytes,
  })
  return answer.statusCode
}

/** Hands a mail over and has it read; returns what became of it. */
async function receive(written: Written) {
  expect(await deliver(mailOf(written))).toBe(202)
  const row = await db
    .selectFrom('mail_inbox')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await readInbox(room, row.id)
  return db.selectFrom('mail_inbox').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
}

const messagesOf = (ticket: number) =>
  db.selectFrom('ticket_messages').selectAll().where('ticket_id', '=', ticket).orderBy('id').execute()
const addressOf = (ticketId: number, id = ana.id) => replies.of({ ticketId, kind: 'client', id })

test("an answer is mailed once each to opener, owner and addresses, a client's message to no address", async () => {
  const ticket = await openTicket({ notified_emails: ['office@example.com', 'ANA@example.com'] })
  expect(await lettersAbout('office@example.com', ticket)).toEqual([])
  await say(staff, ticket, 'Is it still?\n\nRestart it.')
  const [letter, ...others] = await lettersAbout('ana@example.com', ticket)
  expect(others).toEqual([])
  expect(letter).toMatchObject({
    kind: 'ticket-message',
    author: 'Sorin',
    lines: ['Is it still?', 'Restart it.'],
    to: { ticketId: ticket, kind: 'client', id: ana.id },
  })
  expect(await lettersAbout('office@example.com', ticket)).toHaveLength(1)
  await say(browser, ticket, 'Yes')
  expect(await lettersAbout('office@example.com', ticket)).toHaveLength(1)
  expect(await lettersAbout('ana@example.com', ticket)).toHaveLength(1)
})

test('a letter leaves with the address of its own recipient to answer at, and in one conversation', async () => {
  const ticket = await openTicket()
  await say(staff, ticket, 'Is it still?')
  const { id } = await db
    .selectFrom('outbox_letters')
    .select('id')
    .where('recipient', '=', 'ana@example.com')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const smtp = await testSmtp()
  const mailer = smtpMailer({
    smtpUrl: smtp.url,
    mailFrom: { name: 'Portico', address: 'no-reply@support.example' },
    publicUrl: 'https://portal.example',
  })
  const post = testPostOffice(pool, { mailer, replies, publicUrl: 'https://portal.example' })
  await sendLetter(post, id, { last: true })
  mailer.close()
  const mail = await PostalMime.parse(smtp.received[0]?.raw ?? '')
  expect(mail.replyTo?.map(({ address }) => address)).toEqual([addressOf(ticket)])
  expect([mail.inReplyTo, mail.references]).toEqual(Array(2).fill(`<ticket-${ticket}@portal.example>`))
  expect([mail.text?.includes('se adaugă la tichet'), mail.attachments]).toEqual([true, []])
})

test('a ticket that is full takes no mail, believed or not', async () => {
  const ticket = await openTicket()
  await sql`insert into ticket_messages (ticket_id, client_id, author_client_id, body)
    select ${ticket}, ${ana.id}, ${ana.id}, 'Again' from generate_series(1, 1999)`.execute(db)
  for (const from of ['ana@example.com', 'eve@example.com'])
    expect(await receive({ to: addressOf(ticket), from })).toMatchObject({ state: 'ignored' })
  expect(await messagesOf(ticket)).toHaveLength(2000)
})

test('the person who opened it is notified while it is open to them, and not after', async () => {
  const shared = await share(pool, ana, mihai, { tickets: 'allowed' })
  const ticket = await openTicket()
  await sql`update tickets set opened_by_client_id = ${mihai.id} where id = ${ticket}`.execute(db)
  await say(staff, ticket, 'One')
  expect(await lettersAbout('mihai@example.com', ticket)).toHaveLength(1)
  const ended = await browser.send('DELETE', `${base}/share-invitations/${shared.invitation}`)
  expect(ended.statusCode).toBe(204)
  await say(staff, ticket, 'Two')
  expect(await lettersAbout('mihai@example.com', ticket)).toHaveLength(1)
  expect(await lettersAbout('ana@example.com', ticket)).toHaveLength(2)
  const late = await receive({ to: addressOf(ticket, mihai.id), from: 'mihai@example.com' })
  expect(late.state).toBe('unverified')
})

describe('an answer by mail', () => {
  test('is posted as its writer’s, without what it quotes, and moves the ticket', async () => {
    const ticket = await openTicket()
    await say(staff, ticket, 'Is it still?')
    const text =
      'Da, încă.\r\n\r\nOn Mon, 1 Jun 2026 at 10:00, Portico <reply@support.example> wrote:\r\n> Is it still?'
    const row = await receive({ to: addressOf(ticket), text })
    expect([row.state, row.reason]).toEqual(['posted', null])
    const message = (await messagesOf(ticket)).at(-1)
    expect(message).toMatchObject({ body: 'Da, încă.', author_client_id: ana.id, source: 'mail' })
    const state = await browser.get(`${base}/tickets/${ticket}`)
    expect(state.json().data.attributes.status).toBe('awaiting_staff')
  })

  test('is one message, however often it is handed over', async () => {
    const ticket = await openTicket()
    const raw = mailOf({ to: addressOf(ticket), id: '<once@example.com>' })
    expect([await deliver(raw, 'msg_same'), await deliver(raw, 'msg_same'), await deliver(raw)]).toEqual([
      202, 202, 202,
    ])
    const waiting = await db.selectFrom('mail_inbox').select('id').where('state', '=', 'waiting').execute()
    expect(waiting).toHaveLength(2)
    await Promise.all(waiting.flatMap(({ id }) => [readInbox(room, id), readInbox(room, id)]))
    expect(await messagesOf(ticket)).toHaveLength(2)
  })

  test('comes by the mailbox too, and is one message when the visit is cut off before it is marked', async () => {
    const imap = await testImap()
    const box = imapMailbox(imap.url)
    const ticket = await openTicket()
    imap.bring(mailOf({ to: addressOf(ticket), text: 'By the mailbox' }))
    const cut: Mailbox['visit'] = (take) => box.visit((raw, id) => take(raw, id).then(() => imap.cut()))
    await expect(fetchMail({ ...room, mailbox: { visit: cut } })).rejects.toThrow('not read to its end')
    expect(imap.seen()).toEqual([false])
    const inbox = { ...room, mailbox: box }
    expect([(await fetchMail(inbox)).taken, (await fetchMail(inbox)).taken]).toEqual([1, 0])
    const kept = await db
      .selectFrom('mail_inbox')
      .select('id')
      .where('delivery_id', 'like', 'imap:%')
      .execute()
    expect(await Promise.all(kept.map(({ id }) => readInbox(room, id)))).toEqual(['posted'])
    expect((await messagesOf(ticket)).map(({ body }) => body)).toEqual(['Since noon', 'By the mailbox'])
  })

  test('with files brings those that may be attached, and no others', async () => {
    const ticket = await openTicket()
    const part = (name: string, content: string) =>
      [
        '--b',
        `Content-Type: application/octet-stream; name="${name}"`,
        `Content-Disposition: attachment; filename="${name}"`,
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from(content).toString('base64'),
      ].join('\r\n')
    const text = [
      '--b',
      'Content-Type: text/plain',
      '',
      'See this',
      part('../a.log', 'line'),
      part('b.html', '<p>'),
      '--b--',
    ].join('\r\n')
    const row = await receive({
      to: addressOf(ticket),
      text,
      headers: ['Content-Type: multipart/mixed; boundary=b'],
    })
    expect(row.state).toBe('posted')
    const listed = await browser.get(`${base}/tickets/${ticket}/ticketFile`)
    expect(
      listed.json().data.map((one: { attributes: { filename: string } }) => one.attributes.filename),
    ).toEqual(['a.log'])
  })

  test('long after its end opens a ticket that follows', async () => {
    const ticket = await openTicket()
    await sql`update tickets set ticket_status_id = 6, closed_at = now() - interval '31 days' where id = ${ticket}`.execute(
      db,
    )
    const row = await receive({ to: addressOf(ticket), text: 'Again' })
    expect(row.state).toBe('posted')
    const next = await db
      .selectFrom('tickets')
      .selectAll()
      .where('follows_id', '=', ticket)
      .executeTakeFirstOrThrow()
    expect([next.client_id, row.ticket_id]).toEqual([ana.id, next.id])
  })

  test('from a notified address is posted as that person’s', async () => {
    const ticket = await openTicket({ notified_emails: ['office2@example.com'] })
    const { id } = await db
      .selectFrom('ticket_emails')
      .select('id')
      .where('email', '=', 'office2@example.com')
      .executeTakeFirstOrThrow()
    const to = replies.of({ ticketId: ticket, kind: 'email', id })
    await receive({ to, from: 'office2@example.com', text: 'From the office' })
    expect((await messagesOf(ticket)).at(-1)).toMatchObject({
      author_email: 'office2@example.com',
      author_client_id: null,
      body: 'From the office',
    })
  })
})

describe('a mail of an unproven sender never becomes the recipient’s message', () => {
  test.each<[string, Partial<Written>]>([
    ['another sender', { from: 'eve@example.com' }],
    ['a sender that our server disowns', { results: 'mx.support.example; dmarc=fail' }],
    ['a sender that nobody looked at', { results: null }],
    ['findings of another server', { results: 'mx.evil.example; dmarc=pass' }],
    [
      'findings that came with the mail, below ours',
      {
        results: 'mx.support.example; dmarc=fail',
        headers: ['Authentication-Results: mx.support.example; dmarc=pass'],
      },
    ],
    ['findings in a comment', { results: 'mx.support.example; spf=pass (dmarc=pass)' }],
    ['two senders', { headers: ['From: eve@example.com'] }],
  ])('%s: staff are notified, and the client reads nothing of it', async (_what, more) => {
    const ticket = await openTicket()
    const row = await receive({ to: addressOf(ticket), text: 'Close my account', ...more })
    expect(row.state).toBe('unverified')
    const all = await messagesOf(ticket)
    expect(all.slice(1)).toMatchObject([{ visibility: 'internal', source: 'system', author_client_id: null }])
    const seen = await browser.get(`${base}/tickets/${ticket}/ticketMessages`)
    expect([seen.json().data.length, seen.body.includes('Close my account')]).toEqual([1, false])
    const state = await browser.get(`${base}/tickets/${ticket}`)
    expect(state.json().data.attributes.status).toBe('open')
  })

  test.each<[string, Partial<Written> & { address?: (address: string) => string }]>([
    ['a changed address', { address: (one) => one.replace(/.@/, (two) => (two === 'a@' ? 'b@' : 'a@')) }],
    ['the address of another ticket', { address: (one) => one.replace(/\+\d+/, '+1') }],
    ['an absence', { headers: ['Auto-Submitted: auto-replied'] }],
    ['a bounce', { headers: ['Return-Path: <>'] }],
    ['a report', { headers: ['Content-Type: multipart/report; boundary=b'] }],
    ['a list', { headers: ['List-Id: <list.example.com>'] }],
    ['bulk', { headers: ['Precedence: bulk'] }],
    ['nothing but a quotation', { text: '> Is it still?' }],
  ])('%s: ignored', async (_what, { address = (one) => one, ...more }) => {
    const ticket = await openTicket()
    const row = await receive({ to: address(addressOf(ticket)), ...more })
    expect([row.state, (await messagesOf(ticket)).length]).toEqual(['ignored', 1])
  })

  test('our own letters that come back', async () => {
    const ticket = await openTicket()
    const row = await receive({ to: addressOf(ticket), from: addressOf(ticket) })
    expect(row.state).toBe('ignored')
  })

  test('markup is kept as text', async () => {
    const ticket = await openTicket()
    const text = '<b>bold</b><script>alert(1)</script><p>and &lt;more&gt;</p>'
    await receive({ to: addressOf(ticket), text, headers: ['Content-Type: text/html; charset=utf-8'] })
    expect((await messagesOf(ticket)).at(-1)?.body).not.toContain('<script')
  })
})

describe('the webhook', () => {
  const url = '/mail/v1/inbound'
  const stranger = { 'webhook-id': 'x', 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` }
  const signed = { ...stranger, 'webhook-signature': 'v1,x', 'content-type': 'message/rfc822' }
  const ask = async (headers: Record<string, string>, payload = 'x') =>
    await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'message/rfc822', ...headers },
      payload,
    })

  test('the webhook refuses a missing, wrong or old signature', async () => {
    const good = { ...sign([secret], 'x') }
    expect((await ask(good)).statusCode).toBe(202)
    expect((await ask({})).statusCode).toBe(401)
    expect((await ask(good, 'y')).statusCode).toBe(401)
    expect((await ask({ ...good, 'webhook-id': 'other' })).statusCode).toBe(401)
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    expect((await ask({ ...sign([other], 'x') })).statusCode).toBe(401)
    const old = sign([secret], 'x', { at: new Date(Date.now() - 400_000) })
    expect([(await ask({ ...old })).statusCode, (await ask({ ...old })).json().errors[0].code]).toEqual([
      401,
      'signature_expired',
    ])
  })

  test('lets one address in with two unread bodies and no more, until these are gone', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    // A server that listens on TCP has such an address.
    const { port } = app.server.address() as AddressInfo
    const hold = (): Socket => {
      const socket = connect(port, '127.0.0.1')
      const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`)
      socket.write(
        ['POST /mail/v1/inbound HTTP/1.1', 'host: x', ...lines, 'content-length: 30000000', '', 'x'].join(
          '\r\n',
        ),
      )
      return socket
    }
    const knock = async () =>
      (await fetch(`http://127.0.0.1:${port}${url}`, { method: 'POST', headers: signed, body: 'x' })).status
    const held = [hold(), hold()]
    await expect.poll(knock).toBe(503)
    for (const socket of held) socket.destroy()
    await expect.poll(knock).toBe(401)
  })

  test('counts an IPv6 network as one address, and the next network as another', async () => {
    const from = (remoteAddress: string, payload: PassThrough | string) =>
      app.inject({ method: 'POST', url, headers: signed, remoteAddress, payload })
    const slow = [new PassThrough(), new PassThrough()]
    const held = slow.map((body, at) => from(`2001:db8:1:2::${at + 1}`, body))
    await expect.poll(async () => (await from('2001:db8:1:2:f::9', 'x')).statusCode).toBe(503)
    expect((await from('2001:db8:1:3::1', 'x')).statusCode).toBe(401)
    for (const body of slow) body.end('x')
    expect((await Promise.all(held)).map(({ statusCode }) => statusCode)).toEqual([401, 401])
    expect((await from('2001:db8:1:2:f::9', 'x')).statusCode).toBe(401)
  })

  test('takes what is no UTF-8, and what is no mail, and fails at neither', async () => {
    const bytes = Buffer.concat([
      Buffer.from('Subject: '),
      Buffer.from([0xe3, 0xff, 0x00]),
      Buffer.from('\r\n\r\nx'),
    ])
    const { createHmac } = await import('node:crypto')
    const at = String(Math.floor(Date.now() / 1000))
    const mac = createHmac('sha256', Buffer.alloc(32, 7))
      .update(`msg_raw.${at}.`)
      .update(bytes)
      .digest('base64')
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { 'webhook-id': 'msg_raw', 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` },
      payload: bytes,
    })
    expect(answer.statusCode).toBe(202)
    const waiting = await db.selectFrom('mail_inbox').select('id').where('state', '=', 'waiting').execute()
    for (const { id } of waiting) expect(await readInbox(room, id)).toBe('ignored')
  })

  test('does not exist without its secret', async () => {
    const other = await testApp(pool)
    expect((await other.app.inject({ method: 'POST', url, payload: 'x' })).statusCode).toBe(404)
  })
})

test('a demo answers its letters as the recipient, and as a forger', async () => {
  const demo = await testApp(pool, {
    env: { seed: 'demo', replyAddress: 'reply@support.demo.test', tokenSecret },
  })
  const ticket = await openTicket()
  await say(staff, ticket, 'Is it still?')
  const { id } = await db
    .selectFrom('outbox_letters')
    .select('id')
    .where('kind', '=', 'ticket-message')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const answer = (payload: object, letter = id) =>
    demo.app.inject({ method: 'POST', url: `/api/outbox/${letter}/answer`, payload })
  expect((await demo.app.inject(`/api/outbox/${id}`)).json().answered).toBe(true)
  expect((await answer({ text: 'It is.' })).json()).toEqual({ state: 'posted' })
  expect((await answer({ text: 'Close it.', forged: true })).json()).toEqual({ state: 'unverified' })
  expect((await answer({ text: 'x' }, 999_999)).statusCode).toBe(404)
  expect((await messagesOf(ticket)).filter(({ visibility }) => visibility === 'public').at(-1)?.body).toBe(
    'It is.',
  )
  expect(
    (await app.inject({ method: 'POST', url: `/api/outbox/${id}/answer`, payload: { text: 'x' } }))
      .statusCode,
  ).toBe(404)
})
