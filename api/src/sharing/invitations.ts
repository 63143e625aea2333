import { createHash, randomBytes } from 'node:crypto'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { linkLifetimes } from '@portico/contract/rules/link-lifetimes.ts'
import { dayMs, hourMs, minuteMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { noteAct } from '#notifications/account-log.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { holdCount } from '#platform/db/advisory-locks.ts'
import type { Database } from '#platform/db/pool.ts'
import { Problem, type Refusal, reason, refuse } from '#platform/errors/problem.ts'
import type { Verdict } from '#platform/jsonapi/declare/policy.ts'
import { endPermission } from './permission-end.ts'

export type Invitation = RowOf<'share_invitations'>
export type Work = Pick<Context, 'tx' | 'vault' | 'now'>

/** Sending limits: minimum interval per address, and per day for one address and for one owner. */
const sendLimits = { againAfter: 5 * minuteMs, address: 10, owner: 50 }

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Server-set columns of a new invitation. Its link is created when the mail is sent. */
export function newInvitation({
  actor,
  now,
}: {
  readonly actor: { readonly id: number }
  readonly now: Date
}) {
  return {
    client_id: actor.id,
    last_sent_at: now.toISOString(),
    link_expires_at: now.toISOString(),
  }
}

/** The owner's mails of the last day, to the address and to anybody. */
async function sentLately(tx: Database, invitation: Invitation, now: Date) {
  const { client_id: owner, invited_email: email } = invitation
  const since = new Date(now.getTime() - dayMs).toISOString()
  // Each send deletes old rows of all owners: addresses are kept only for the counting period.
  await tx.deleteFrom('share_invitation_mails').where('sent_at', '<', since).execute()
  return tx
    .selectFrom('share_invitation_mails')
    .where('client_id', '=', owner)
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.countAll<number>().filterWhere('invited_email', '=', email).as('address'),
    ])
    .executeTakeFirstOrThrow()
}

function assertSeldom(condition: boolean, refusal: Refusal, after: number): void {
  if (condition) return
  const headers = { 'retry-after': String(Math.ceil(after / 1000)) }
  throw new Problem(refusal, { headers })
}

/** The inviting owner, and the language of the invited person: their own if they have an account. */
async function writer(tx: Database, { client_id, invited_email }: Invitation) {
  const owner = await clientsWithLanguage(tx)
    .leftJoin('client_entities as e', 'e.client_id', 'c.id')
    .where('c.id', '=', client_id)
    .select(['c.first_name', 'c.last_name', 'c.email', 'l.code', companyOf('e').as('company')])
    .executeTakeFirstOrThrow()
  const known = await clientsWithLanguage(tx)
    .where('c.email', '=', invited_email)
    .select('l.code')
    .executeTakeFirst()
  return { owner, language: known?.code ?? owner.code }
}

/** The company in the billing details of an account, where it is one of a company. */
export const companyOf = (entities: string) =>
  sql<string | null>`case when ${sql.ref(`${entities}.account_type`)} = ${sql.lit(companyAccount)}
    then nullif(${sql.ref(`${entities}.company_name`)}, '') end`

/** The name of the only panel or workspace that is opened; null for several, none, or everything. */
async function onlyThing(tx: Database, permission: number): Promise<string | null> {
  const { rows } = await sql<{ thing: string | null }>`
    select coalesce(
      (select min(p.name) from shared_panels o join panels p on p.id = o.panel_id
        where o.permission_id = ${permission} having count(*) = 1),
      (select min(w.name) from shared_workspaces s join projects w on w.id = s.project_id
        where s.permission_id = ${permission} having count(*) = 1)) as thing
    from share_permissions s where s.id = ${permission} and s.workspace_resources = 'custom'`.execute(tx)
  return rows[0]?.thing ?? null
}

/** Sends a new link to the invited person and invalidates the former one. 429 beyond `sendLimits`. */
async function send(context: Work, invitation: Invitation): Promise<void> {
  const { tx, now } = context
  await holdCount(tx, 'invitations', invitation.client_id)
  const lately = await sentLately(tx, invitation, now)
  assertSeldom(
    lately.address < sendLimits.address && lately.all < sendLimits.owner,
    reason('invitations_most'),
    dayMs,
  )
  const token = randomBytes(32).toString('base64url')
  await tx
    .updateTable('share_invitations')
    .set({
      token_hash: hashOf(token),
      last_sent_at: now.toISOString(),
      link_expires_at: new Date(now.getTime() + linkLifetimes.invitation * dayMs).toISOString(),
    })
    .where('id', '=', invitation.id)
    .execute()
  await tx
    .insertInto('share_invitation_mails')
    .values({
      client_id: invitation.client_id,
      invited_email: invitation.invited_email,
      sent_at: now.toISOString(),
    })
    .execute()
  const { owner, language } = await writer(tx, invitation)
  const written = await queueMail(context, {
    to: invitation.invited_email,
    language,
    letter: {
      kind: 'invitation',
      name: invitation.first_name,
      other: `${owner.first_name} ${owner.last_name}`,
      email: owner.email,
      company: owner.company,
      thing: await onlyThing(tx, invitation.permission_id),
      link: `/invitation/${token}`,
    },
  })
  // The previous link stays valid when the mail cannot be sent.
  assertSeldom(written, reason('letters_most'), hourMs)
}

/** Sends the invitation mail after creation. 422 for one's own address. */
export async function invitationCreated(context: Work, invitation: Invitation): Promise<void> {
  const own = await context.tx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', invitation.client_id)
    .where('email', '=', invitation.invited_email)
    .executeTakeFirst()
  if (own)
    throw refuse(
      'invitation_own_address',
      {},
      {
        source: { pointer: '/data/attributes/invited_email' },
      },
    )
  await send(context, invitation)
}

/** Sends another link. 409 once the invitation is accepted, 429 too soon after the last one. */
export async function resend(context: Context, invitation: Invitation): Promise<{ status: boolean }> {
  if (invitation.accepted) throw refuse('invitation_accepted')
  const next = Date.parse(invitation.last_sent_at) + sendLimits.againAfter
  const wait = next - context.now.getTime()
  assertSeldom(wait <= 0, reason('invitation_sent_lately'), wait)
  await send(context, invitation)
  const { client_id: owner, invited_email: about } = invitation
  await noteAct(context, { kind: 'invitation-resent', owner, about })
  return { status: true }
}

/** Names can be edited until the invitation is accepted; then the person's own name is shown. */
export const namesStand = (_: unknown, { accepted }: Invitation): Verdict =>
  !accepted || reason('invitation_names_fixed')

/** Ends the permission of a deleted invitation, accepted or not. */
export async function invitationRemoved(context: Context, { permission_id }: Invitation): Promise<void> {
  await endPermission(context, permission_id, 'owner')
}
