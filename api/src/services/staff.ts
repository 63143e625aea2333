import * as z from 'zod/mini'
import type { Actor, Staff } from '../db/context.ts'

/** What members of staff are there for, as `admins` says it. */
export const staffRole = z.enum(['support', 'billing', 'admin', 'readonly'])

/** A member of staff as whoever asks: nothing is theirs and nothing was opened to them; rules say what they see. */
export const staffActor = (
  staff: Staff,
  session: Pick<Actor, 'accountId' | 'sessionId' | 'emailVerified'>,
): Actor => ({
  ...session,
  kind: 'staff',
  id: 0,
  staff,
  grants: [],
  owners: () => [],
  reach: () => ({ accounts: [], except: [], projects: [], listedIn: [], panels: [] }),
})
