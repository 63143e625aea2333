import * as z from 'zod/mini'
import { integerId, line } from '../fields.ts'
import { exceededLimits } from './offers.ts'
import { powerVerb } from './reasons.ts'
import { actor, engineId, enginePanel, newEnginePanel, panelOwner } from './wire.ts'

// Calls about panels that an engine may offer since contract 1.1, each by a capability.

/** POST /v1/checks: about a panel that is not made yet, so it has no id, or about another plan for one that is. */
export const panelCheck = z.union([
  z.object({ panel: z.extend(newEnginePanel, { panel_id: z.null() }) }),
  z.object({ id: engineId, plan: line(40) }),
])

/** Whether what was asked about would be done, and why not. */
export const panelCheckAnswer = z.object({
  ok: z.boolean(),
  code: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
  field: z.optional(z.nullable(z.string().check(z.maxLength(40)))),
  message: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
  exceeded: z.optional(exceededLimits),
})

/** POST /v1/panels/{id}/plan. */
export const planChange = z.object({
  plan: line(40),
  /** Idempotency key: a repeated call gets the first answer, for 30 days. */
  change_id: engineId,
  actor,
})

const count = z.int().check(z.gte(0), z.lte(1_000_000))

/** A panel in the engine's list of all panels, linked to this portal or unlinked. */
export const listedPanel = z.extend(enginePanel, {
  panel_id: z.nullable(integerId),
  owner: z.object({ name: z.nullable(line(200)), email: z.nullable(line(254)) }),
  counts: z.object({ servers: count, clusters: count, domains: count }),
})

/** The answer of GET /v1/panels: a page and the cursor of the next one. */
export const panelPage = z.object({
  items: z.array(listedPanel).check(z.maxLength(500)),
  next: z.nullable(z.string().check(z.minLength(1), z.maxLength(500))),
})

/** POST /v1/panels/{id}/adopt. */
export const adoption = z.object({ panel_id: integerId, name: line(60), owner: panelOwner, actor })

/** POST /v1/panels/{id}/release. */
export const panelRelease = z.object({ panel_id: integerId, actor })

/** POST /v1/panels/{id}/servers/{server}/power. */
export const powerAsk = z.object({
  action: powerVerb,
  /** Without waiting for what runs on it. */
  force: z.boolean(),
  /** Idempotency key: a repeated call gets the first answer, and nothing is done again. */
  request_id: engineId,
  actor,
})

export type PanelCheckAnswer = z.output<typeof panelCheckAnswer>
export type ListedPanel = z.output<typeof listedPanel>
