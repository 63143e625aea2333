import { type SqlBool, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Actor, Staff } from '#platform/context.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import type { SymbolicStaff } from '#platform/jsonapi/declare/symbolic-actor.ts'

/** Staff roles, as stored in `admins`. */
export const staffRole = z.enum(['support', 'billing', 'admin', 'readonly'])

/**
 * The actor of a staff member: without own rows or grants, by rules only. `undefined` without a required
 * second factor, which leaves no rights.
 */
export const staffActor = (
  staff: Staff | undefined,
  session: Pick<Actor, 'accountId' | 'sessionId' | 'emailVerified' | 'language' | 'authenticatedAt'>,
): Actor => ({
  ...session,
  kind: 'staff',
  id: 0,
  staff,
  grants: [],
  owners: () => [],
  reach: () => ({ accounts: [], except: [], projects: [], listedIn: [], panels: [] }),
})

/** The condition that a row of clients is no member of staff. */
export const notStaff = (clients: string) => sql<SqlBool>`${sql.ref(`${clients}.kind`)} = 'client'`

const hasApp = (m: string) =>
  `exists (select from auth_totp t where t.account_id = ${m}.auth_id and t.enabled_at is not null)`
const hasPasskey = (m: string) => `exists (select from auth_passkeys p where p.account_id = ${m}.auth_id)`

/** SQL: whether a staff member, `m` of `admins`, has a second factor: two-factor authentication or a passkey (0202). */
export const ownsSecondFactor = (m: string) => `(${hasApp(m)} or ${hasPasskey(m)})`

/** SQL: whether they have the second factor where it is required. */
export const hasSecondFactor = (m: string) => `(not ${m}.totp_required or ${ownsSecondFactor(m)})`

/**
 * SQL: also whether their session, `s` of `auth_sessions`, may use the rights: with two-factor authentication each sign-in asks
 * for it, without it only a passkey opens such a session. Otherwise they reach only their own sign-in pages, where they can add one.
 */
export const enteredBySecondFactor = (m: string, s: string) =>
  `(not ${m}.totp_required or ${hasApp(m)} or 'passkey' = any(${s}.amr) and ${hasPasskey(m)})`

type Role = Staff['role']

/** The staff part of a rule: these roles, with a row and without one. */
export const staffOf = (...roles: readonly Role[]) => ({
  staff: ({ role }: SymbolicStaff) =>
    sql<SqlBool>`${role} in (${sql.join(roles.map((one) => sql.lit(one)))})`,
  roles,
})

/** Allows these staff roles, and no client. */
export const staffAlone = (...roles: readonly Role[]): Rule<never> => ({ ...nobody, ...staffOf(...roles) })

/** Every staff role. */
export const allStaff: readonly Role[] = staffRole.options
