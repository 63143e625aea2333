import type { deskHome, deskNeed } from '@portico/contract/resources/desk-home.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { isOpenPayment } from '#money/payments/payment-rows.ts'
import { isUnanswered, isUncorrected } from '#money/tax-office/collect.ts'
import type { Context, Staff } from '#platform/context.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { alertConcerns } from '#staff/alert-notices.ts'
import { isDead } from '#staff/dead-jobs.ts'
import { allStaff, notStaff } from '#staff/roles.ts'
import { staffSees } from '#staff/ticket-visibility.ts'
import { waitsForStaff } from '#tickets/actions.ts'
import { dueAt } from '#tickets/service-levels.ts'
import { waitingPlans } from '#workspaces/plans/waiting-plans.ts'
import { openMonth } from './money/month-preview.ts'
import { isPaidSince } from './money/payment-conditions.ts'
import { trialEnds } from './search.ts'
import { letterState } from './verbs/letters.ts'

type Needs = z.input<typeof deskHome.actions.needs.output>

/** A line of the page: whom it concerns, and the rows that wait; `since` says since when one does, `until` its deadline. */
type Line = {
  readonly urgent?: true
  readonly roles: readonly Staff['role'][]
  readonly since: RawBuilder<unknown>
  readonly until?: RawBuilder<unknown>
  readonly from: (asked: Asked) => RawBuilder<unknown>
}

type Asked = { readonly staff: Staff; readonly now: string }

const ofMoney = moneyStaff.roles
const ofMachines = ['support', 'admin', 'readonly'] as const

const unknown = sql`null::timestamptz`

/** Tickets that wait for staff and that the role sees. */
const waiting = ({ staff: { id, role } }: Asked) => sql`tickets t where ${waitsForStaff('t')}
  and ${staffSees('t', { id: sql`${id}::int8`, role: sql`${role}::text` })}`

/** Documents for the system of the tax office that is in use. */
const eInvoices = sql`e_invoices e join tax_offices o on o.environment = e.environment where o.in_use and o.is_on`

// The statement lists them in this order, after the urgent ones.
const lines: Record<z.output<typeof deskNeed>, Line> = {
  checks_stop: {
    urgent: true,
    roles: ofMachines,
    since: unknown,
    from: () => sql`checks k where k.state = 'stop'`,
  },
  checks_warn: {
    roles: ofMachines,
    since: unknown,
    from: () => sql`checks k where k.state = 'warn'`,
  },
  disputes: {
    urgent: true,
    roles: ofMoney,
    since: sql`d.created_at`,
    until: sql`d.answer_by`,
    from: () => sql`payment_disputes d where d.status = 'open'`,
  },
  alerts: {
    urgent: true,
    roles: allStaff,
    since: sql`s.created_at`,
    from: ({ staff }) =>
      sql`staff_alerts s where s.resolved_at is null and ${alertConcerns(sql`${staff.role}::text`, sql.ref('s.kind'))}`,
  },
  engines_down: {
    urgent: true,
    roles: ofMachines,
    since: unknown,
    from: () => sql`panel_engines e where e.health = 'down' and e.disabled_at is null`,
  },
  payments_stuck: {
    urgent: true,
    roles: ofMoney,
    since: sql`p.begun_at`,
    from: ({ now }) => sql`payments p where ${isOpenPayment('p')}
      and p.begun_at < ${now}::timestamptz - interval '1 day'`,
  },
  jobs_dead: {
    urgent: true,
    roles: ofMachines,
    since: sql`j.updated_at`,
    from: () => sql`graphile_worker.jobs j where ${isDead('j')}`,
  },
  panels_failed: {
    urgent: true,
    roles: ofMachines,
    since: sql`p.engine_status_at`,
    from: () => sql`panels p where p.status = 'error' and p.deleted_at is null`,
  },
  month_open: {
    urgent: true,
    roles: ofMoney,
    since: unknown,
    from: () => sql`(select distinct o.client_id from (${openMonth}) o) left_open`,
  },
  requests: {
    roles: ['admin'],
    since: sql`q.created_at`,
    until: sql`q.ends_at`,
    from: ({
      staff,
      now,
    }) => sql`staff_requests q where q.decision is null and q.ends_at > ${now}::timestamptz
      and (q.asked_by <> ${staff.id}::int8 or q.asked_alone)`,
  },
  addresses_waiting: {
    roles: ['admin', 'readonly'],
    since: sql`outbox_letters.created_at`,
    // A letter is sent within seconds, unless there is no mail server, or none that answers.
    from: ({ now }) => sql`outbox_letters where outbox_letters.kind = 'verify-email'
      and (${letterState}) = 'waiting' and outbox_letters.created_at < ${now}::timestamptz - interval '10 seconds'`,
  },
  einvoices_due: {
    urgent: true,
    roles: ofMoney,
    since: sql`e.created_at`,
    from: () => sql`${eInvoices} and ${isUnanswered(sql`e.state`)}
      and working_days_until('RO', operator_today(), e.due_on) <= 2`,
  },
  bank_open: {
    roles: ofMoney,
    since: sql`b.created_at`,
    from: () => sql`bank_lines b where b.state = 'open'`,
  },
  bank_doubtful: {
    roles: ofMoney,
    since: sql`b.created_at`,
    from: () => sql`bank_lines b where b.state = 'doubtful'`,
  },
  tickets_overdue: {
    roles: allStaff,
    since: dueAt('t'),
    from: (asked) => sql`${waiting(asked)} and ${dueAt('t')} < ${asked.now}::timestamptz`,
  },
  tickets_unassigned: {
    roles: allStaff,
    since: sql`t.created_at`,
    from: (asked) => sql`${waiting(asked)} and t.assigned_admin_id is null`,
  },
  einvoices_unknown: {
    roles: ofMoney,
    since: sql`e.begun_at`,
    from: () => sql`${eInvoices} and e.state = 'unknown'`,
  },
  einvoices_rejected: {
    roles: ofMoney,
    since: sql`e.settled_at`,
    // Until it is corrected by a credit note.
    from: () => sql`${eInvoices} and e.state = 'rejected' and exists (select from invoices i
      where i.id = e.invoice_id and ${isUncorrected})`,
  },
  payments_failed: {
    roles: ofMoney,
    since: sql`p.begun_at`,
    from: ({
      now,
    }) => sql`payments p where p.status = 'failed' and p.begun_at > ${now}::timestamptz - interval '7 days'
      and not ${isPaidSince('p')}`,
  },
  letters_failed: {
    roles: ofMachines,
    since: sql`outbox_letters.failed_at`,
    from: ({ now }) =>
      sql`outbox_letters where outbox_letters.failed_at > ${now}::timestamptz - interval '7 days' and (${letterState}) = 'failed'`,
  },
  usage_rejected: {
    roles: ofMachines,
    since: sql`r.first_at`,
    from: ({ now }) => sql`usage_rejections r where r.last_at > ${now}::timestamptz - interval '1 day'`,
  },
  plans_waiting: {
    roles: allStaff,
    since: sql`w.since`,
    from: () => sql`${waitingPlans} w`,
  },
  trials_ending: {
    roles: allStaff,
    since: unknown,
    from: () => sql`clients c where ${trialEnds('c')} and ${notStaff('c')}`,
  },
}

type Counted = Needs['needs'][number]

/** The open work for the reader's role, in one statement. */
export async function needs({
  tx,
  actor: { staff },
  now,
}: Pick<Context, 'tx' | 'actor' | 'now'>): Promise<Needs> {
  if (staff === undefined) throw new Error('The policy lets staff alone through.')
  const asked = { staff, now: now.toISOString() }
  const counts = Object.entries(lines)
    .filter(([, { roles }]) => roles.includes(staff.role))
    .map(
      ([need, { urgent = false, since, until = unknown, from }]) => sql`
        select ${need}::text as need, ${urgent}::boolean as urgent, count(*)::int as count, min(${since}) as since,
          min(${until}) as until
        from ${from(asked)}`,
    )
  const { rows } = await sql<Counted>`
    select need, urgent, count, since, until from (${sql.join(counts, sql` union all `)}) n where count > 0`.execute(
    tx,
  )
  return { needs: rows.toSorted((a, b) => Number(b.urgent) - Number(a.urgent)) }
}
