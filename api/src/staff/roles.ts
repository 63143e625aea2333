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

/**
 * SQL: whether a staff member, `m` of `admins`, has the required second factor. Without it they reach only
 * their own sign-in pages, where they can enable it.
 */
export const hasSecondFactor = (m: string) => `(not ${m}.totp_required or exists (
  select from auth_totp t where t.account_id = ${m}.auth_id and t.enabled_at is not null))`

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
