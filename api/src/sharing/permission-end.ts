import { sql } from 'kysely'
import { noteAct } from '#notifications/account-log.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { oldestWorkspace } from '#sharing/oldest-workspace.ts'
import { requestRevocation } from './panel-revocation.ts'

/** The party that ends a permission, which decides who is notified. */
type EndedBy = 'owner' | 'guest'

/** Moves a guest whose current workspace is no longer shared to the oldest of their own. */
export async function leaveWorkspaces(
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  permissionId: number,
): Promise<void> {
  await sql`update clients c set current_project_id = ${oldestWorkspace}
    from share_permissions s, projects w
    where s.id = ${permissionId} and c.id = s.invited_client_id and w.id = c.current_project_id
      and w.client_id = s.inviting_client_id and (s.expires_at <= ${now.toISOString()} or not exists (
        select from shared_workspaces o where o.permission_id = s.id and o.project_id = w.id))`.execute(tx)
}

type Person = { email: string; language: string; first_name: string; last_name: string }

async function person(tx: Database, id: number): Promise<Person> {
  return clientsWithLanguage(tx)
    .where('c.id', '=', id)
    .select(['c.email', 'l.code as language', 'c.first_name', 'c.last_name'])
    .executeTakeFirstOrThrow()
}

/** Sends one of the two parties a letter about the other. */
export async function writeAbout(
  context: Pick<Context, 'tx' | 'vault'>,
  kind: 'invitation-accepted' | 'access-removed' | 'access-left',
  { to, about }: { readonly to: number; readonly about: number },
): Promise<void> {
  const [reader, other] = [await person(context.tx, to), await person(context.tx, about)]
  const { first_name, last_name, email } = other
  await queueMail(context, {
    to: reader.email,
    language: reader.language,
    letter: { kind, name: reader.first_name, other: `${first_name} ${last_name}`, email },
  })
}

/** Removes the panels of a permission from the guest's list, and ends the guest's sessions in them. */
async function closePanels(tx: Database, permissionId: number, guest: number): Promise<void> {
  const listed = await tx
    .deleteFrom('client_panels')
    .where('share_permission_id', '=', permissionId)
    .returning('panel_id')
    .execute()
  await requestRevocation(
    tx,
    listed.map(({ panel_id }) => panel_id),
    guest,
  )
}

/** Removes addresses that the guest subscribed to the owner's tickets. */
async function dropNotified(tx: Database, owner: number, guest: number): Promise<void> {
  await tx
    .deleteFrom('ticket_ticket_emails')
    .where('client_id', '=', owner)
    .where('added_by', '=', guest)
    .execute()
}

// A batch is one transaction; the rest follows a minute later.
const expiredAtOnce = 100

/**
 * Ends the sessions of guests whose permissions have expired. Expired permissions grant nothing already, and
 * stay so that the owner can extend them. Returns their number.
 */
export async function endExpired(db: Database, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const expired = await tx
      .selectFrom('share_permissions as s')
      .select(['s.id', 's.inviting_client_id as owner', 's.invited_client_id as guest'])
      .where('s.revoked_at', 'is', null)
      .where('s.expires_at', '<=', now.toISOString())
      .where(({ exists, or, selectFrom }) =>
        or([
          exists(selectFrom('client_panels as c').whereRef('c.share_permission_id', '=', 's.id')),
          exists(
            selectFrom('ticket_ticket_emails as x')
              .whereRef('x.client_id', '=', 's.inviting_client_id')
              .whereRef('x.added_by', '=', 's.invited_client_id'),
          ),
        ]),
      )
      .orderBy('s.id')
      .limit(expiredAtOnce)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, owner, guest } of expired) {
      if (guest !== null) {
        await closePanels(tx, id, guest)
        await dropNotified(tx, owner, guest)
      }
      await leaveWorkspaces({ tx, now }, id)
    }
    return expired.length
  })
}

/** Removes the former guest's address from the owner's tickets, however it got there. */
async function forgetAddress(tx: Database, owner: number, guest: number): Promise<void> {
  await tx
    .deleteFrom('ticket_emails')
    .where('client_id', '=', owner)
    .where('email', '=', ({ selectFrom }) => selectFrom('clients').select('email').where('id', '=', guest))
    .execute()
}

/**
 * Ends a permission with its invitation, the guest's panel list, their panel sessions, and their current
 * workspace. It grants nothing from the next request on. Idempotent.
 */
export async function endPermission(
  context: Pick<Context, 'tx' | 'vault' | 'now'> & Partial<Pick<Context, 'actor' | 'ip'>>,
  permissionId: number,
  by: EndedBy,
): Promise<void> {
  const { tx, now } = context
  const ended = await tx
    .updateTable('share_permissions')
    .set({ revoked_at: now.toISOString() })
    .where('id', '=', permissionId)
    .where('revoked_at', 'is', null)
    .returning(['inviting_client_id as owner', 'invited_client_id as guest'])
    .executeTakeFirst()
  if (ended === undefined) return
  const invitation = await tx
    .deleteFrom('share_invitations')
    .where('permission_id', '=', permissionId)
    .returning('invited_email')
    .executeTakeFirst()
  const { owner, guest } = ended
  if (invitation !== undefined) {
    const kind =
      guest === null ? 'invitation-removed' : (`guest-${by === 'owner' ? 'removed' : 'left'}` as const)
    await noteAct(context, { kind, owner, about: invitation.invited_email })
  }
  if (guest === null) return
  await closePanels(tx, permissionId, guest)
  await leaveWorkspaces(context, permissionId)
  await dropNotified(tx, owner, guest)
  await forgetAddress(tx, owner, guest)
  if (by === 'owner') await writeAbout(context, 'access-removed', { to: guest, about: owner })
  else await writeAbout(context, 'access-left', { to: owner, about: guest })
}
