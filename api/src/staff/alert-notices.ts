import { alertTopic } from '@portico/contract/rules/alert-topics.ts'
import { factInWords } from '@portico/contract/rules/alert-words.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { notify } from '#notifications/notifications.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/vault.ts'
import { hasSecondFactor } from './roles.ts'

/** SQL: whether an alert concerns a role: administrators all, billing all but technical ones. */
export const alertConcerns = (role: Expression<unknown>, kind: Expression<unknown>): Expression<SqlBool> =>
  sql<SqlBool>`(${role} = 'admin' or (${role} = 'billing' and ${kind} !~ '^(job|check|engine|file|storage|staff)_'))`

type Concerned = {
  readonly email: string
  readonly name: string
  readonly account: number
  readonly language: string
  readonly by: readonly string[]
}

// Staff without their second factor may not read the alert, so it waits until they have it.
const concerned = (kind: Expression<unknown>) => sql`
  admins a join clients c on c.auth_id = a.auth_id join languages l on l.id = c.language_id
    where a.disabled_at is null and ${sql.raw(hasSecondFactor('a'))}
      and ${alertConcerns(sql.ref('a.role'), kind)}`

async function concernedBy(tx: Database, kind: string): Promise<Concerned[]> {
  const { rows } = await sql<Concerned>`
    select a.email, a.display_name as name, c.id as account, l.code as language, a.alert_news_by as by
    from ${concerned(sql`${kind}::text`)} order by a.id`.execute(tx)
  return rows
}

// A letter summarizes an alert, without a whole list of differences.
const mostFacts = 20
const longestFact = 300

// The account of a client is read at the desk alone.
const notInLetters = 'iban'

/** The facts of an alert for letters, one per line. */
export const factsOf = (detail: object): string[] =>
  Object.entries(detail)
    .slice(0, mostFacts)
    .filter(([name, value]) => value !== null && name !== notInLetters)
    .map(([name, value]) => `${name}: ${factInWords(value)}`)
    .map((fact) => fact.slice(0, longestFact))

type Parts = { readonly db: Database; readonly vault: Vault }

/**
 * Notifies the staff concerned by an alert on their chosen channels, once; stores it for later if there are
 * none.
 */
export function notifyOfAlert({ db, vault }: Parts, alertId: number): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const alert = await tx
      .selectFrom('staff_alerts')
      .select(['kind', 'about', 'detail'])
      .where('id', '=', alertId)
      .where('notified_at', 'is', null)
      .where('resolved_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (alert === undefined) return
    const { kind, about, detail } = alert
    const people = await concernedBy(tx, kind)
    if (people.length === 0) return
    await tx.updateTable('staff_alerts').set({ notified_at: sql`now()` }).where('id', '=', alertId).execute()
    const topic = alertTopic(kind)
    const facts = factsOf(Object(detail))
    for (const { email, name, account, language, by } of people) {
      if (by.includes('portal'))
        await notify(tx, account, { kind: 'staff_alert', about: alertId, params: { topic, about } })
      if (by.includes('letter'))
        await queueMail(
          { tx, vault },
          { to: email, language, letter: { kind: 'staff-alert', name, topic, about, facts } },
        )
    }
  })
}

/** Notifies staff of open alerts from before there was anyone concerned. */
export async function notifyOfMissedAlerts(parts: Parts): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select s.id from staff_alerts s where s.notified_at is null and s.resolved_at is null
      and exists (select from ${concerned(sql.ref('s.kind'))}) order by s.id`.execute(parts.db)
  for (const { id } of rows) await notifyOfAlert(parts, id)
}

/** Gives an open alert to a member of staff, or to nobody. Throws `alert_resolved`, `alert_assignee_unfit`. */
export async function assignAlert(
  { tx }: Pick<Context, 'tx'>,
  { id, kind, resolved_at }: Pick<RowOf<'staff_alerts'>, 'id' | 'kind' | 'resolved_at'>,
  admin: number | null,
): Promise<{ assigned_admin_id: number | null }> {
  if (resolved_at !== null) throw refuse('alert_resolved')
  const { rows } = await sql`select from admins a where a.id = ${admin} and a.disabled_at is null
    and ${alertConcerns(sql.ref('a.role'), sql`${kind}::text`)}`.execute(tx)
  if (admin !== null && rows.length === 0)
    throw refuse('alert_assignee_unfit', {}, { source: { pointer: '/data/admin_id' } })
  await tx.updateTable('staff_alerts').set({ assigned_admin_id: admin }).where('id', '=', id).execute()
  return { assigned_admin_id: admin }
}

/** Resolves an alert for a staff member. Throws `alert_resolved` when it already is. */
export async function resolveByStaff(
  { tx, actor, now }: Pick<Context, 'tx' | 'actor' | 'now'>,
  { id }: Pick<RowOf<'staff_alerts'>, 'id'>,
  reason: string,
): Promise<{ resolved_at: string }> {
  const resolved_at = now.toISOString()
  const done = await tx
    .updateTable('staff_alerts')
    .set({ resolved_at, resolution: reason, resolved_by_admin_id: actor.staff?.id ?? null })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!done) throw refuse('alert_resolved')
  return { resolved_at }
}
