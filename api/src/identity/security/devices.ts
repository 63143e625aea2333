import { emailKey } from '#identity/accounts.ts'
import { lifetimes } from '#identity/config.ts'
import { hmac, isToken, newToken, sha256 } from '#identity/crypto.ts'
import type { Work } from '#identity/identity-context.ts'
import { networkOf } from '#identity/sign-in/throttle.ts'
import type { Database } from '#platform/db/pool.ts'

/** The browser or program of a sign-in. */
export type Device = {
  /** Its id in the database. */
  readonly hash: Buffer
  /** The value for its cookie; undefined for a program, which keeps none. */
  readonly cookie: string | undefined
}

/** The hash of a device cookie; undefined for an invalid one. */
const hashOf = (cookie: string | undefined): Buffer | undefined =>
  cookie !== undefined && isToken(cookie) ? sha256(cookie) : undefined

/**
 * The device of a request. A browser is identified by its cookie, which a new one gets now. A program keeps
 * no cookies, so its name and network identify it: enough to avoid a letter at each sign-in, and used for
 * nothing else.
 */
export function deviceOf({ origin, keys }: Pick<Work, 'origin' | 'keys'>): Device {
  const { device: presented, program, ip, userAgent = '' } = origin
  const known = hashOf(presented)
  if (known !== undefined) return { hash: known, cookie: presented }
  if (program) {
    const name = `program:${networkOf(ip)}:${userAgent}`
    return { hash: hmac(keys[0].throttle, name), cookie: undefined }
  }
  const cookie = newToken()
  return { hash: sha256(cookie), cookie }
}

/** Records a sign-in from a device; returns whether the device was known. */
export async function rememberDevice(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  accountId: string,
  { hash }: Device,
): Promise<boolean> {
  const last_seen_at = now.toISOString()
  const added = await tx
    .insertInto('auth_devices')
    .values({ account_id: accountId, device_hash: hash, last_seen_at })
    .onConflict((conflict) => conflict.columns(['account_id', 'device_hash']).doNothing())
    .returning('account_id')
    .executeTakeFirst()
  if (added !== undefined) return false
  await tx
    .updateTable('auth_devices')
    .set({ last_seen_at })
    .where('account_id', '=', accountId)
    .where('device_hash', '=', hash)
    .execute()
  return true
}

/** Deletes the devices of an account: all of them, or all but the one of a session. */
export async function forgetDevices(
  { tx }: { readonly tx: Database },
  { accountId, sessionId }: { accountId: string; sessionId: string | null },
): Promise<void> {
  await tx
    .deleteFrom('auth_devices')
    .where('account_id', '=', accountId)
    .where('device_hash', 'is distinct from', ({ selectFrom }) =>
      selectFrom('auth_sessions').select('device_hash').where('id', '=', sessionId),
    )
    .execute()
}

/**
 * The hash of a device cookie that has signed in to this account before. Only the holder of such a cookie
 * learns that the account exists.
 */
export async function knownDevice(
  db: Database,
  {
    account,
    cookie,
    now,
  }: { account: { email: string } | { id: string }; cookie: string | undefined; now: Date },
): Promise<Buffer | undefined> {
  const hash = hashOf(cookie)
  if (hash === undefined) return undefined
  const known = await db
    .selectFrom('auth_devices as d')
    .innerJoin('auth_accounts as a', 'a.id', 'd.account_id')
    .select('d.device_hash')
    .where((eb) =>
      'id' in account ? eb('a.id', '=', account.id) : eb('a.email_key', '=', emailKey(account.email)),
    )
    .where('d.device_hash', '=', hash)
    .where('d.last_seen_at', '>', new Date(now.getTime() - lifetimes.device).toISOString())
    .executeTakeFirst()
  return known?.device_hash
}
