import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { endOverdueAccess } from '#sharing/staff-access.ts'
import { type Outside, revokeStaff } from '#workspaces/engines/panel-engines.ts'
import { closeResolved } from './actions.ts'
import { notifyOfDeadlines } from './due.ts'

const aboutStaffAccess = z.object({ panelId: z.int(), adminId: z.int() })

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

/** The jobs of tickets; each calls one service function. */
export function ticketTasks(outside: Outside, bounded: Bounded) {
  const { pool, clock } = outside
  return {
    'tickets.close': bounded(() => closeResolved(pool.kysely, clock.now())),
    'tickets.sla': bounded(() => notifyOfDeadlines(pool.kysely, clock.now())),
    'tickets.access': bounded(() => endOverdueAccess(pool.kysely, clock.now())),
    'panel.revoke-staff': bounded((payload) => {
      const { panelId, adminId } = z.parse(aboutStaffAccess, payload)
      return revokeStaff(outside, panelId, adminId)
    }),
  }
}
