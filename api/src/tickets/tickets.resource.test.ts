import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { ticketDesk } from '#test/support/ticket-desk.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const support = await makeAdmin(portal.pool)
const someone = (): Promise<Account> => makeAccount(portal.pool, { projects: 2, panels: 2 })

const { open, say, act, statusOf } = await ticketDesk(portal.pool)

describe('opening', () => {
  test('a ticket is of its opener’s account, with its description as the first message', async () => {
    const ana = await someone()
    const me = portal.as(ana)
    const opened = await open(me, {
      panel: ana.panels[0],
      attributes: { notified_emails: ['office@example.com', 'OFFICE@example.com'] },
    })
    expect(opened.status).toBe(201)
    expect(opened.one.attributes).toMatchObject({
      client_id: ana.id,
      opened_by_client_id: ana.id,
      panel_id: ana.panels[0],
      description: 'Since **noon**',
      department: 'technical',
      status: 'open',
      client_unread: false,
      notified_emails: ['office@example.com'],
      last_message_by: 'client',
    })
    expect(opened.one.attributes?.number).toMatch(/^T-[2-9A-HJ-NP-Z]{8}$/)
    const messages = await me.get(`${base}/tickets/${opened.one.id}/ticketMessages`)
    expect(messages.list.map(({ attributes }) => [attributes?.body, attributes?.author_kind])).toEqual([
      ['Since **noon**', 'client'],
    ])
  })

  test('does not choose its state, number or owner', async () => {
    const [ana, mihai] = [await someone(), await someone()]
    for (const attributes of [
      { status: 'closed' },
      { number: 'T-1' },
      { priority: 4 },
      { client_unread: true },
    ])
      expect([attributes, (await open(portal.as(ana), { attributes })).status]).toEqual([attributes, 403])
    const foreign = await open(portal.as(ana), { attributes: { client_id: mihai.id } })
    const absent = await open(portal.as(ana), { attributes: { client_id: 999_999_999 } })
    expect([foreign.status, foreign.text]).toEqual([403, absent.text])
    expect((await open(portal.as(ana), { panel: mihai.panels[0] })).status).toBe(404)
  })

  test.each([
    [{ subject: '' }, 'Subject is required'],
    [{ subject: 'x'.repeat(161) }, 'At most 160 characters'],
    [{ description: ' \n ' }, 'Description is required'],
    [{ description: 'x'.repeat(20_001) }, 'At most 20000 characters'],
    [{ notified_emails: ['a@example.com\r\nBcc: b@example.com'] }, 'This is not a valid e-mail address'],
    [{ notified_emails: Array.from({ length: 11 }, (_, n) => `p${n}@example.com`) }, 'At most 10 addresses'],
  ])('refuses what is at fault: %#', async (attributes, detail) => {
    const answer = await open(portal.as(await someone()), { attributes })
    expect([answer.status, answer.errors[0]?.detail]).toEqual([422, detail])
  })

  test('more than five in a minute are too many', async () => {
    const me = portal.as(await someone())
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await open(me)).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
  })

  test('a reply to a ticket that closed long ago opens a new one in the same account', async () => {
    const [ana, mihai] = [await someone(), await someone()]
    const [mine, theirs] = [
      await makeTicket(portal.pool, { client: ana.id }),
      await makeTicket(portal.pool, { client: mihai.id }),
    ]
    const follows = (id: number) => ({ follows: { data: { type: 'tickets', id: String(id) } } })
    expect((await open(portal.as(ana), { relationships: follows(mine.ticket) })).status).toBe(201)
    expect((await open(portal.as(ana), { relationships: follows(theirs.ticket) })).status).toBe(404)
  })
})

describe('states', () => {
  test('messages and actions move a ticket, and what cannot happen is a conflict', async () => {
    const me = portal.as(await someone())
    const staff = portal.staff(support)
    const { id } = (await open(me)).one
    expect((await say(staff, id, 'Better now?')).status).toBe(201)
    const answered = await me.get(`${base}/tickets/${id}`)
    expect(answered.one.attributes).toMatchObject({
      status: 'awaiting_client',
      client_unread: true,
      last_message_by: 'staff',
      first_response_due: null,
    })
    expect((await act(me, id, 'markRead')).json).toEqual({ client_unread: false })
    await say(me, id, 'No')
    expect(await statusOf(me, id)).toBe('awaiting_staff')
    expect((await act(staff, id, 'hold')).json).toEqual({ status: 'on_hold' })
    expect((await act(staff, id, 'hold')).status).toBe(409)
    await say(me, id, 'Any news?')
    expect(await statusOf(me, id)).toBe('awaiting_staff')
    expect((await act(me, id, 'resolve')).json).toEqual({ status: 'resolved' })
    expect((await act(me, id, 'resolve')).status).toBe(409)
    expect((await act(me, id, 'close')).json).toEqual({ status: 'closed' })
    expect((await act(me, id, 'close')).status).toBe(409)
    expect((await say(staff, id, 'One more thing')).status).toBe(409)
    expect((await act(me, id, 'reopen')).json).toEqual({ status: 'awaiting_staff' })
    expect((await act(me, id, 'reopen')).status).toBe(409)
  })

  test('thirty days after its closing a ticket stays closed', async () => {
    const ana = await someone()
    const { ticket } = await makeTicket(portal.pool, { client: ana.id })
    await act(portal.as(ana), ticket, 'close')
    await db
      .updateTable('tickets')
      .set({ closed_at: new Date(Date.now() - 31 * 86_400_000).toISOString() })
      .where('id', '=', ticket)
      .execute()
    expect((await act(portal.as(ana), ticket, 'reopen')).status).toBe(409)
    expect((await say(portal.as(ana), ticket, 'Again')).status).toBe(409)
  })

  test('two closings at once are one', async () => {
    const ana = await someone()
    const { ticket } = await makeTicket(portal.pool, { client: ana.id })
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(portal.as(ana), ticket, 'close')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)])
  })
})

describe('notified addresses', () => {
  test('are of the ticket’s account, ten at most, and each once', async () => {
    const [ana, mihai] = [await someone(), await someone()]
    const me = portal.as(ana)
    const { id } = (await open(me)).one
    const added = await act(me, id, 'addEmail', { email: 'a@example.com', name: 'A' })
    expect((await act(me, id, 'addEmail', { email: 'A@example.com' })).json).toEqual(added.json)
    for (let n = 0; n < 9; n++)
      expect((await act(me, id, 'addEmail', { email: `n${n}@example.com` })).status).toBe(200)
    expect((await act(me, id, 'addEmail', { email: 'last@example.com' })).status).toBe(422)
    const theirs = await makeTicket(portal.pool, { client: mihai.id })
    const addNotified = (ticket: string | number, address: number) =>
      me.post(`${base}/ticket-ticket-emails`, {
        data: {
          type: 'ticket-ticket-emails',
          relationships: {
            ticket: { data: { type: 'tickets', id: String(ticket) } },
            ticketEmail: { data: { type: 'ticket-emails', id: String(address) } },
          },
        },
      })
    expect((await addNotified(id, theirs.email)).status).toBe(404)
    expect((await addNotified(theirs.ticket, theirs.email)).status).toBe(404)
    expect((await me.delete(`${base}/ticket-ticket-emails/${theirs.notified}`)).status).toBe(404)
    const [first] = (await me.get(`${base}/tickets/${id}/ticketTicketEmails`)).list
    expect((await me.delete(`${base}/ticket-ticket-emails/${first?.id}`)).status).toBe(204)
  })
})

describe('files', () => {
  test('of another person or ticket cannot be attached', async () => {
    const [ana, mihai] = [await someone(), await someone()]
    const mine = await makeTicket(portal.pool, { client: ana.id })
    const theirs = await makeTicket(portal.pool, { client: mihai.id })
    const attach = (file: number) =>
      say(
        portal.as(ana),
        mine.ticket,
        'See this',
        {},
        { ticketFiles: { data: [{ type: 'ticket-files', id: String(file) }] } },
      )
    expect((await attach(theirs.files[0])).status).toBe(404)
    expect((await attach(mine.files[1])).status).toBe(404)
    expect((await attach(mine.files[0])).status).toBe(403)
  })

  test('that were found to be infected after sending are not attached', async () => {
    const ana = await someone()
    const { rows } =
      await sql`insert into ticket_files (uploaded_by_client_id, filename, mime, size, sha256, storage_key,
      scan_status) values (${ana.id}, 'a.txt', 'text/plain', 12, '', 'infected', 'infected')
      returning id::text, 'ticket-files' as type`.execute(db)
    const answer = await open(portal.as(ana), { relationships: { ticketFile: { data: rows } } })
    expect([answer.status, answer.errors[0]?.code]).toEqual([422, 'files_infected'])
  })
})

test('a flood of messages ends at the ticket’s limit, and never leaves in one answer', async () => {
  const ana = await someone()
  const me = portal.as(ana)
  const { ticket } = await makeTicket(portal.pool, { client: ana.id })
  const fill = (most: number) =>
    sql`insert into ticket_messages (ticket_id, client_id, author_client_id, body)
      select ${ticket}, ${ana.id}, ${ana.id}, 'Again' from generate_series(1, ${most} - (
        select count(*) from ticket_messages where ticket_id = ${ticket}))`.execute(db)
  // The note of staff is not among what a client includes.
  await fill(201)
  const url = `${base}/tickets/${ticket}`
  expect((await me.get(`${url}?include=ticketMessages`)).included).toHaveLength(200)
  await fill(202)
  const refused = await me.get(`${url}?include=ticketMessages`)
  expect([refused.status, refused.errors[0]?.source]).toEqual([400, { parameter: 'include' }])
  expect((await me.get(`${url}/ticketMessages?page[size]=100`)).list).toHaveLength(100)
  await fill(1999)
  expect((await say(me, ticket, 'The last')).status).toBe(201)
  expect((await say(me, ticket, 'One too many')).errors).toMatchObject([
    { status: '409', code: 'ticket_full' },
  ])
  expect((await say(portal.staff(support), ticket, 'Open another, please')).status).toBe(201)
})

test('is found by words and by number, with any characters', async () => {
  const ana = await someone()
  const me = portal.as(ana)
  await open(me, { attributes: { subject: 'Disk 100% full_now' } })
  const opened = await open(me, { attributes: { subject: 'Disk quiet' } })
  const number = String(opened.one.attributes?.number)
  const found = async (text: string) =>
    (await me.get(`${base}/tickets?filter[search]=${encodeURIComponent(text)}`)).list.map(
      ({ attributes }) => attributes?.subject,
    )
  expect(await found('disk')).toEqual(['Disk quiet', 'Disk 100% full_now'])
  expect(await found('100%')).toEqual(['Disk 100% full_now'])
  expect(await found('l_n')).toEqual(['Disk 100% full_now'])
  expect(await found('%')).toEqual(['Disk 100% full_now'])
  expect(await found('\\')).toEqual([])
  expect(await found(number.toLowerCase())).toEqual(['Disk quiet'])
  expect(portal.bugs).toEqual([])
})

test('the number of a list matches the rows behind its link, after any change', async () => {
  const ana = await someone()
  const me = portal.as(ana)
  const ids: string[] = []
  for (const [at, code] of (['technical', 'billing', 'technical'] as const).entries())
    ids.push((await open(me, { department: code, ...(at === 0 && { panel: ana.panels[0] }) })).one.id)
  await act(me, ids[0] ?? '', 'close')
  await say(portal.staff(support), ids[1] ?? '', 'Yes')
  await act(portal.staff(support), ids[2] ?? '', 'move', { department: 'billing' })
  const filters = [
    '',
    '&filter[status]=closed',
    '&filter[status]=open',
    '&filter[department]=billing',
    '&filter[unread]=true',
    `&filter[panel_id]=${ana.panels[0]}`,
    `&filter[project_id]=${ana.projects[0]}`,
    '&filter[search]=slow',
  ]
  for (const reader of [me, portal.staff(support)])
    for (const filter of filters) {
      const answer = await reader.get(`${base}/tickets?filter[client_id]=${ana.id}${filter}`)
      expect([filter, answer.document.meta?.page?.total]).toEqual([filter, answer.list.length])
    }
  const kept = db
    .selectFrom('ticket_counts')
    .select(({ fn }) => fn.sum<number>('many').as('all'))
    .where('client_id', '=', ana.id)
  expect(Number((await kept.executeTakeFirstOrThrow()).all)).toBe(ids.length)
})
