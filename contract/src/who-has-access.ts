import * as z from 'zod/mini'
import { integerId } from './fields.ts'
import { action } from './jsonapi.ts'

/** The action of workspaces and panels that tells their owner who else reaches them. */
export const whoHasAccess = action({
  method: 'GET',
  on: 'one',
  description: 'Who but the owner reaches this, and by which part of their permission; only for the owner.',
  input: z.strictObject({}),
  output: z.object({
    people: z.array(
      z.object({
        invitation_id: integerId,
        permission_id: integerId,
        full_name: z.string(),
        invited_email: z.string(),
        /** While false, the person may come in as soon as they accept. */
        accepted: z.boolean(),
        /** Everything is opened to the person, or this workspace, or this panel by itself. */
        by: z.enum(['all', 'workspace', 'panel']),
        add_panels: z.boolean(),
        delete_panels: z.boolean(),
      }),
    ),
  }),
})
