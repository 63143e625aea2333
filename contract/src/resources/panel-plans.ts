import * as z from 'zod/mini'
import { idParameter, integerId, moment } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const panelPlans = resource('panel-plans', {
  description:
    'Which plan a panel had from when until when. Its fee is charged by the hours of this history.',
  attributes: {
    client_id: integerId,
    panel_id: integerId,
    plan_id: integerId,
    starts_at: moment,
    /** Null: it has the plan now. */
    ends_at: z.nullable(moment),
    /** False while the panel is suspended by a policy that stops the fee. */
    charged: z.boolean(),
  },
  relationships: { panel: toOne('panels'), plan: toOne('plans') },
  filters: { client_id: idParameter, project_id: idParameter, panel_id: idParameter },
  sorts: ['starts_at'],
})
