import * as z from 'zod/mini'
import type { Actor, Staff } from '#platform/context.ts'

/** What members of staff are there for, as `admins` says it. */
export const staffRole = z.enum(['support', 'billing', 'admin', 'readonly'])

/**
 * A member of staff as whoever asks: nothing is theirs and nothing was opened to them; rules say what they see. `undefined`
 * while they lack their second factor: then they have no rights at all.
 */
export const staffActor = (
  staff: Staff | undefined,
  session: Pick<Actor, 'accountId' | 'sessionId' | 'emailVerified' | 'language'>,
): Actor => ({
  ...session,
  kind: 'staff',
  id: 0,
  staff,
  grants: [],
  owners: () => [],
  reach: () => ({ accounts: [], except: [], projects: [], listedIn: [], panels: [] }),
})

/**
 * SQL: whether somebody of staff, `m` of `admins`, has the second factor that their rights ask for. Without it they
 * reach only the pages of their own sign-in, where they turn it on.
 */
export const hasSecondFactor = (m: string) => `(not ${m}.totp_required or exists (
  select from auth_totp t where t.account_id = ${m}.auth_id and t.enabled_at is not null))`
