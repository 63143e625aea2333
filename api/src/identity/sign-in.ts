import * as z from 'zod/mini'
import { emailKey, mayAct } from './accounts.ts'
import { lifetimes, limits } from './config.ts'
import { verifyPassword } from './crypto.ts'
import type { Deps, Origin } from './deps.ts'
import { consume, issue } from './one-time.ts'
import { refusal } from './refusal.ts'
import { type Opened, openSession } from './sessions.ts'
import { networkOf, type Throttle } from './throttle.ts'

const codeData = z.object({ amr: z.array(z.string()) })

// One answer for a wrong password, an unknown address and an account that may not sign in.
const wrong = () => refusal('The e-mail or the password is wrong.')

/** The identity behind an address, with whether it may sign in at all. */
async function findAccount({ pool }: Deps, email: string) {
  return pool.kysely
    .selectFrom('auth_accounts as a')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .select((eb) => [
      'a.id',
      'a.password_hash',
      eb.and([eb('a.disabled_at', 'is', null), eb('c.status', 'in', mayAct)]).as('may_sign_in'),
    ])
    .where('a.email_key', '=', emailKey(email))
    .executeTakeFirst()
}

/**
 * Checks e-mail and password and returns a code for the callback, bound to the browser by `binding`. Unknown addresses
 * are answered, counted and blocked as known ones are, and after the same time.
 */
export async function login(
  deps: Deps,
  throttle: Throttle,
  { email, password, binding, ip }: { email: string; password: string; binding: string; ip: string },
): Promise<string> {
  const charged = [
    await throttle.charge(limits.address, networkOf(ip)),
    await throttle.charge(limits.account, emailKey(email)),
  ]
  const account = await findAccount(deps, email)
  const matches = await verifyPassword(account?.password_hash, password)
  if (!matches || !account?.may_sign_in) throw wrong()
  await throttle.refund(charged)
  return issue(deps.pool.kysely, {
    purpose: 'sign-in',
    accountId: account.id,
    binding,
    data: { amr: ['pwd'] },
    expires: new Date(deps.clock.now().getTime() + lifetimes.code),
  })
}

/** Exchanges a sign-in code for a session, in the browser that asked for it; `unauthenticated` when it is good for nothing. */
export async function exchange(
  { pool, clock }: Deps,
  { code, binding, origin }: { code: string; binding: string; origin: Origin },
): Promise<Opened> {
  const refused = () => refusal('This sign-in has expired or was used. Sign in again.')
  return pool.kysely.transaction().execute(async (tx) => {
    const now = clock.now()
    const redeemed = await consume(tx, { purpose: 'sign-in', token: code, binding, now })
    if (!redeemed?.account_id) throw refused()
    const client = await tx
      .selectFrom('clients as c')
      .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
      .select(['c.id', 'c.status'])
      .where('a.id', '=', redeemed.account_id)
      .where('a.disabled_at', 'is', null)
      .where('c.status', 'in', mayAct)
      .executeTakeFirst()
    if (client === undefined) throw refused()
    // Status 2 says that the person has never signed in (seed, section 4).
    if (client.status === 2)
      await tx
        .updateTable('clients')
        .set({ status: 1 })
        .where('id', '=', client.id)
        .where('status', '=', 2)
        .execute()
    const { amr } = codeData.parse(redeemed.data)
    return openSession(tx, { accountId: redeemed.account_id, amr, origin, now })
  })
}
