import { hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import { type Database, runnerOf } from '#platform/db/pool.ts'
import { accessOf, readGrants } from '#sharing/grants.ts'
import { staffActor, staffRole } from '#staff/roles.ts'
import { act, markRead } from '#tickets/actions.ts'
import type { NewFile } from '#tickets/files/files.ts'
import { messageCreated, newMessage, rate } from '#tickets/messages.ts'
import { newTicket, ticketCreated } from '#tickets/tickets.ts'
import { writeDemoAnswers } from './answers.ts'

type Work = Pick<Context, 'tx' | 'vault' | 'now'>

const session = { accountId: '', sessionId: '', emailVerified: true, language: 'en' } as const

/** The actor of a demo person, as in their own requests. */
async function actorOf(tx: Database, email: string, now: Date): Promise<Actor> {
  const admin = await tx
    .selectFrom('admins')
    .select(['id', 'role'])
    .where('email', '=', email)
    .executeTakeFirst()
  if (admin) return staffActor({ id: admin.id, role: staffRole.parse(admin.role) }, session)
  const { id } = await tx
    .selectFrom('clients')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const grants = await readGrants(runnerOf(tx), [id], now)
  return { ...session, kind: 'client', id, ...accessOf(id, grants.get(id) ?? []) }
}

type Opened = {
  readonly by: string
  readonly hoursAgo: number
  readonly department: string
  readonly panel?: string
  readonly subject: string
  readonly description: string
  readonly emails?: readonly string[]
}

const earlier = (work: Work, hoursAgo: number): Work => ({
  ...work,
  now: new Date(work.now.getTime() - hoursAgo * hourMs),
})

/** Opens a ticket some hours ago, like the screen; the file is an upload for it. */
async function open(work: Work, { by, hoursAgo, department, panel, ...sent }: Opened, file?: NewFile) {
  const { tx, vault, now } = earlier(work, hoursAgo)
  const actor = await actorOf(tx, by, work.now)
  const ticketDepartment = await tx
    .selectFrom('ticket_departments')
    .select(columns.ticket_departments)
    .where('code', '=', department)
    .executeTakeFirstOrThrow()
  const about =
    panel === undefined
      ? null
      : await tx
          .selectFrom('panels')
          .select(columns.panels)
          .where('name', '=', panel)
          .executeTakeFirstOrThrow()
  const filled = newTicket({ actor, related: { ticketDepartment, panel: about }, sent: {}, now })
  const ticket = await tx
    .insertInto('tickets')
    .values({
      ...filled,
      subject: sent.subject,
      ticket_department_id: ticketDepartment.id,
      panel_id: about?.id ?? null,
    })
    .returning(columns.tickets)
    .executeTakeFirstOrThrow()
  if (file) await attach(tx, ticket.id, actor.id, file)
  await ticketCreated({ tx, vault, now, actor }, ticket, {
    description: sent.description,
    notified_emails: sent.emails,
  })
  return ticket
}

async function attach(
  tx: Database,
  ticketId: number,
  uploader: number,
  { key, finding, sha256, ...file }: NewFile,
) {
  await tx
    .insertInto('ticket_files')
    .values({
      ...file,
      ticket_id: ticketId,
      uploaded_by_client_id: uploader,
      sha256: Buffer.from(sha256),
      storage_key: key,
      scan_status: finding,
    })
    .execute()
}

type Ticket = Awaited<ReturnType<typeof open>>
type Said = { readonly by: string; readonly hoursAgo: number; readonly body: string; readonly note?: true }

/** Posts a message some hours ago, like the screen. */
async function say(work: Work, ticket: Ticket, { by, hoursAgo, body, note }: Said) {
  const then = earlier(work, hoursAgo)
  const actor = await actorOf(then.tx, by, work.now)
  const visibility = note ? 'internal' : 'public'
  const row = await then.tx
    .insertInto('ticket_messages')
    .values({
      ...newMessage({ actor, related: { ticket }, sent: { visibility } }),
      ticket_id: ticket.id,
      client_id: ticket.client_id,
      body,
      visibility,
      created_at: then.now.toISOString(),
    })
    .returning(columns.ticket_messages)
    .executeTakeFirstOrThrow()
  await messageCreated(then, row)
  return row
}

const support = 'support@demo.test'
const ana = 'ana@demo.test'

async function resolved(work: Work): Promise<void> {
  const ticket = await open(work, {
    by: ana,
    hoursAgo: 9 * 24,
    department: 'sales',
    panel: 'mail-eu1',
    subject: 'More mailboxes on mail-eu1',
    description:
      'We are hiring: could `mail-eu1` hold **forty** mailboxes, and what would that cost us a day?',
  })
  const answer = await say(work, ticket, {
    by: support,
    hoursAgo: 9 * 24 - 3,
    body: 'It can, and nothing has to be moved. Each mailbox costs what the ones that you have cost; there is no step in between.',
  })
  await say(work, ticket, { by: ana, hoursAgo: 8 * 24, body: 'Thank you, that is all I wanted to know.' })
  await act(earlier(work, 4 * 24), ticket, 'resolve')
  await markRead(work, ticket)
  await rate(work, answer, { rating: 'good', comment: 'Quick and clear' })
}

async function withFiles(work: Work, log: NewFile | undefined): Promise<void> {
  const ticket = await open(
    work,
    {
      by: 'mihai@demo.test',
      hoursAgo: 50,
      department: 'technical',
      panel: 'shop-cluster',
      subject: 'Checkout answers 502 now and then',
      description:
        'Since the last deployment about one request in two hundred is answered with `502`. The log of an hour is attached.\n\n1. It is only `POST /checkout`.\n2. It is not more at noon than at night.',
      emails: ['ops@lumen-studio.test'],
    },
    log,
  )
  await say(work, ticket, {
    by: support,
    hoursAgo: 47,
    body: 'One of the four nodes closes connections after 5 seconds, the others after 60. Was its configuration changed by hand?',
  })
  await say(work, ticket, {
    by: support,
    hoursAgo: 46.9,
    body: 'Node 3 was rebuilt on Monday; check the image before the next one.',
    note: true,
  })
  await say(work, ticket, {
    by: 'mihai@demo.test',
    hoursAgo: 20,
    body: 'Not by us. Can you bring it in line with the others?',
  })
  await markRead(work, ticket)
}

async function awaitingAna(work: Work): Promise<void> {
  const ticket = await open(work, {
    by: ana,
    hoursAgo: 30,
    department: 'technical',
    panel: 'web-eu1',
    subject: 'Disk of web-eu1 fills up at night',
    description:
      'Every night at about three the disk of one server goes from 60 to 90 percent, and in the morning it is back.',
  })
  await say(work, ticket, {
    by: support,
    hoursAgo: 5,
    body: 'That is the nightly dump of the database, which is packed only when it is complete. May we write it to the second disk? It takes no downtime.',
  })
}

async function billing(work: Work): Promise<void> {
  await open(work, {
    by: ana,
    hoursAgo: 3,
    department: 'billing',
    subject: 'Our order number on the invoices',
    description: 'Could the number **PO-2214** stand on our invoices from this month on?',
  })
}

/**
 * The tickets of Ana's account: one resolved, one with a file that Mihai opened, one that awaits her, one
 * about billing; and the canned answers.
 */
export async function openDemoTickets(work: Work, log: NewFile | undefined): Promise<void> {
  await resolved(work)
  await withFiles(work, log)
  await awaitingAna(work)
  await billing(work)
  await writeDemoAnswers(work.tx)
  // Assigns the answered tickets; the others stay unassigned.
  await sql`update tickets set assigned_admin_id = (select id from admins where email = ${support})
    where first_responded_at is not null`.execute(work.tx)
  await sql`update tickets set tags = '{invoice}' where subject like 'Our order number%'`.execute(work.tx)
  await sql`update tickets set tags = '{checkout,vip}' where panel_id in (select id from panels where name like 'shop%')`.execute(
    work.tx,
  )
  await datePast(work.tx)
}

/** Dates each notification at its event and marks as read those that need no answer. */
async function datePast(tx: Database): Promise<void> {
  await sql`update notifications n set created_at = notice.at, read_at = case when not notice.waits then notice.at end
    from (
      select o.id, case when o.kind = 'ticket_opened' then t.created_at else answer.at end as at,
        case when o.client_id = t.client_id then t.client_unread
          else s.code in ('open', 'awaiting_staff') and o.id = max(o.id) over (partition by o.client_id, t.id) end as waits
      from notifications o join tickets t on t.id = o.about_id join ticket_statuses s on s.id = t.ticket_status_id
      cross join lateral (
        select max(m.created_at) as at from ticket_messages m
        where m.ticket_id = t.id and m.visibility = 'public'
          and (m.author_admin_id is not null) = (o.kind = 'ticket_answered')
      ) answer
      where o.kind in ('ticket_opened', 'ticket_replied', 'ticket_answered')
    ) notice
    where n.id = notice.id`.execute(tx)
}

const line = (second: number) =>
  `2026-03-02T03:14:${String(second).padStart(2, '0')}Z shop-cluster node3 upstream closed connection after 5000 ms: POST /checkout 502\n`

/** The attached log of a demo ticket. */
export const demoLog = Buffer.from(Array.from({ length: 60 }, (_, second) => line(second)).join(''))
