import * as z from 'zod/mini'
import { idParameter, integerId, moment, money, stamps, wideSearchParameter } from '../fields.ts'
import { resource } from '../jsonapi.ts'
import { panelReason, panelStatus } from './panels.ts'

export const deskPanels = resource('desk-panels', {
  description:
    'A panel of any client, as staff list them. Its content is that of the panel with the same id, and its verbs are those of the client.',
  attributes: {
    client_id: integerId,
    client_name: z.string(),
    name: z.string(),
    domain: z.nullable(z.string()),
    plan_code: z.nullable(z.string()),
    /** The name of its engine. */
    engine: z.string(),
    status: panelStatus,
    /** The reasons of its state, as its engine gives them. */
    reasons: z.array(panelReason),
    /** When its engine last reported a state; null before the first. */
    engine_status_at: z.nullable(moment),
    /** The time up to which its engine has reported all usage; null before the first report. */
    used_through: z.nullable(moment),
    currency: z.string(),
    /** Its usage of the UTC month so far, net of VAT. */
    month_cost: money,
    ...stamps,
  },
  filters: {
    client_id: idParameter,
    status: panelStatus,
    panel_engine_id: idParameter,
    /** Whether it still lacks the plan that staff gave it. */
    plan_waits: z.enum(['true', 'false']),
    /** A part of the name or of the domain. */
    search: wideSearchParameter,
  },
  sorts: ['name', 'createdAt'],
})
