import { actor } from '@portico/contract/engine/wire.ts'
import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { forgetPowers } from '#workspaces/contents/server-power.ts'
import { requestDueSyncs } from '#workspaces/panel-requests.ts'
import { carryOutPlan } from '#workspaces/plans/carry-out-plan.ts'
import {
  deletePanel,
  enforceSuspension,
  type Outside,
  provisionPanel,
  renamePanel,
  revokeAccess,
  syncPanel,
} from './panel-engines.ts'
import { checkEngines, forgetMessages } from './registry.ts'

const aboutPanel = z.object({ panelId: z.int(), actor: z.optional(actor) })
const aboutAccess = z.object({ panelId: z.int(), clientId: z.int() })

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

const tryOf = (payload: unknown, { job }: JobHelpers) => {
  const { panelId, actor: by } = z.parse(aboutPanel, payload)
  return [panelId, { last: job.attempts >= job.max_attempts, actor: by }] as const
}

const panelOf = (payload: unknown): number => z.parse(aboutPanel, payload).panelId

/** The jobs of panels and their engines; each calls one service function. */
export function panelTasks(outside: Outside, bounded: Bounded) {
  const { pool, clock } = outside
  return {
    'panel.provision': bounded((payload, helpers) => provisionPanel(outside, ...tryOf(payload, helpers))),
    'panel.rename': bounded((payload) => {
      const { panelId, actor: by } = z.parse(aboutPanel, payload)
      return renamePanel(outside, panelId, by)
    }),
    'panel.delete': bounded((payload, helpers) => deletePanel(outside, ...tryOf(payload, helpers))),
    'panel.plan': bounded((payload, { logger }) =>
      carryOutPlan(outside, panelOf(payload), (error) => logger.warn(String(error))),
    ),
    'panel.suspension': bounded((payload) => enforceSuspension(outside, panelOf(payload))),
    'panel.revoke': bounded((payload) => {
      const { panelId, clientId } = z.parse(aboutAccess, payload)
      return revokeAccess(outside, panelId, clientId)
    }),
    'panel.sync': bounded((payload) => syncPanel(outside, panelOf(payload))),
    'engines.check': bounded(() => checkEngines(outside)),
    'engines.forget': bounded(async () => {
      await forgetMessages(pool.kysely, clock.now())
      await forgetPowers(pool.kysely, clock.now())
    }),
    'panels.sync': bounded(() => requestDueSyncs(pool.kysely, clock.now())),
  }
}
