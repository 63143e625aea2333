import { assertSecond } from '#desk/second/assert-second.ts'
import { reasonInLog } from '#desk/verbs/client-letter.ts'
import { emailKey, lockAccount, lockAccountById } from '#identity/accounts.ts'
import { lifetimes } from '#identity/config.ts'
import { issue, withdraw } from '#identity/sign-in/one-time.ts'
import { noteAct } from '#notifications/account-log.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Given = { readonly row: RowOf<'clients'>; readonly input: { readonly email: string } }

/** The link by which the reader of the new address confirms it, as if the client had asked for it. */
async function linkTo({ tx, now }: Context, accountId: string, email: string): Promise<string> {
  await withdraw(tx, accountId, 'email-change')
  const token = await issue(tx, {
    purpose: 'email-change',
    accountId,
    binding: '',
    data: { email },
    expires: new Date(now.getTime() + lifetimes.confirmEmail),
  })
  return `/email-change#confirm=${token}`
}

/**
 * Begins the change of a client's address; it is theirs once the link sent there is followed. Throws
 * `recent_sign_in_required`, `second_person_required`, `client_not_active`, `email_unchanged`, `email_taken`.
 */
export async function changeEmail(context: Context, { row, input: { email } }: Given) {
  assertRecentSignIn(context)
  assertSecond(context)
  const { tx, now, vault } = context
  if (row.auth_id === null) throw refuse('client_not_active')
  const account = await lockAccountById(tx, row.auth_id)
  if (!account.may_act) throw refuse('client_not_active')
  if (account.email_key === emailKey(email))
    throw refuse('email_unchanged', {}, { source: { pointer: '/email' } })
  const holder = await lockAccount(tx, email)
  if (holder !== undefined && holder.verified_at !== null) throw refuse('email_taken')
  const link = await linkTo(context, account.id, email)
  const reason = await reasonInLog(tx)
  const { name, language } = await clientsWithLanguage(tx)
    .select(['c.first_name as name', 'l.code as language'])
    .where('c.id', '=', row.id)
    .executeTakeFirstOrThrow()
  const confirm = { kind: 'email-change-confirm', name, link } as const
  const notice = { kind: 'email-change-by-staff', name, email, reason } as const
  await queueMail({ tx, vault }, { to: email, language, letter: confirm })
  await queueMail({ tx, vault }, { to: account.email, language, letter: notice })
  await noteAct({ tx, now }, { kind: 'email-change-requested', owner: row.id, about: email })
  return { status: 'queued' } as const
}
