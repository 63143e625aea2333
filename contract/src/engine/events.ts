import * as z from 'zod/mini'
import { line } from '../fields.ts'
import {
  engineId,
  enginePanel,
  enginePanelStatus,
  engineResource,
  firstResource,
  moment,
  resourceKind,
} from './wire.ts'

// Events that an engine sends to the portal.

const about = { panel: engineId, occurred_at: moment }

const status = {
  type: z.literal('panel.status'),
  ...about,
  status: enginePanelStatus,
  region: z.optional(z.nullable(line(64))),
}

const removed = z.object({
  type: z.literal('resource.removed'),
  ...about,
  kind: resourceKind,
  resource: engineId,
})

/** Something that happened at an engine. What is older than what is known changes nothing, so their order does not matter. */
export const engineEvent = z.discriminatedUnion('type', [
  z.object({
    ...status,
    plan: z.optional(enginePanel.shape.plan),
    reasons: enginePanel.shape.reasons,
    progress: enginePanel.shape.progress,
    login_url: enginePanel.shape.login_url,
  }),
  z.object({ type: z.literal('resource.upserted'), ...about, resource: engineResource }),
  removed,
])

/** The same at an engine of contract 1.0, in which the words of 1.1 mean nothing. */
export const firstEvent = z.discriminatedUnion('type', [
  z.object(status),
  z.object({ type: z.literal('resource.upserted'), ...about, resource: firstResource }),
  removed,
])

/** The most events that one message holds. */
export const mostEvents = 500

/** POST /engine/v1/events: each event is looked at by itself, so a bad one does not lose the others. */
export const engineEvents = z.object({
  events: z.array(z.unknown()).check(z.minLength(1), z.maxLength(mostEvents)),
})

/** The receipt of a message: the numbers of accepted and outdated events, and the errors of the rejected ones. */
export const engineReceipt = z.object({
  accepted: z.int(),
  outdated: z.int(),
  errors: z.array(z.object({ index: z.int(), code: z.string(), detail: z.string() })),
})

export type EngineEvent = z.output<typeof engineEvent>
export type EngineReceipt = z.output<typeof engineReceipt>
