import type { AskedVerb } from '@portico/contract/rules/asked-verbs.ts'
import { sql } from 'kysely'
import { notify } from '#notifications/notifications.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'

export type Person = {
  readonly id: number
  readonly account: number
  readonly name: string
  readonly email: string
  readonly language: string
}

type Request = {
  readonly id: number
  readonly verb: AskedVerb
  readonly about: string
  readonly reason: string
  readonly asker: number
  /** The only administrator asks. */
  readonly isLonely: boolean
}

/** Active members of staff, `a` in the condition, who have an account. */
export const activeStaff = (tx: Context['tx'], which: ReturnType<typeof sql>) =>
  sql<Person>`select a.id, c.id as account, a.display_name as name, a.email, l.code as language
    from admins a join clients c on c.auth_id = a.auth_id join languages l on l.id = c.language_id
    where a.disabled_at is null and ${which} order by a.id`.execute(tx)

/** The address of the operator, which learns of what one person asks for alone. */
async function operatorPerson(tx: Context['tx']) {
  const { rows } = await sql<Pick<Person, 'name' | 'email' | 'language'>>`
    select legal_name as name, email, case country when 'RO' then 'ro' else 'en' end as language
    from operator_profile where email is not null`.execute(tx)
  return rows
}

/**
 * Notifies the administrators that a member of staff asks for a second person. The letters cannot be turned off: of a stolen session
 * they are the only sign. What the only administrator asks for goes to them, and to the address of the operator.
 */
export async function notifyOfRequest({ tx, vault }: Context, request: Request): Promise<void> {
  const { id, verb, about, reason, asker, isLonely } = request
  const { rows: admins } = await activeStaff(tx, sql`a.role = 'admin' and (a.id <> ${asker} or ${isLonely})`)
  const { display_name: by } = await tx
    .selectFrom('admins')
    .select('display_name')
    .where('id', '=', asker)
    .executeTakeFirstOrThrow()
  for (const { account } of admins)
    await notify(tx, account, { kind: 'staff_request', about: id, params: { verb, about, by } })
  for (const { name, email, language } of [...admins, ...(isLonely ? await operatorPerson(tx) : [])])
    await queueMail(
      { tx, vault },
      { to: email, language, letter: { kind: 'staff-request', name, by, verb, about, reason, isLonely } },
    )
}

type Asked = Pick<RowOf<'staff_requests'>, 'id' | 'verb' | 'about' | 'asked_by'>

/** Notifies the person who asked of the decision. */
export async function notifyOfDecision(
  { tx }: Context,
  { id, verb, about, asked_by }: Asked,
  state: 'approved' | 'declined',
): Promise<void> {
  const { rows } = await activeStaff(tx, sql`a.id = ${asked_by}`)
  for (const { account } of rows)
    await notify(tx, account, { kind: 'staff_request_decided', about: id, params: { verb, about, state } })
}
