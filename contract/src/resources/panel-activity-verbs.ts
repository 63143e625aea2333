import * as z from 'zod/mini'
import { moment } from '../fields.ts'
import { action } from '../jsonapi.ts'

/** The kinds of events in the activity of a panel. */
export const panelActs = [
  'panel-added',
  'panel-renamed',
  'panel-moved',
  'panel-plan-asked',
  'panel-plan-changed',
  'panel-plan-refused',
  'panel-suspended',
  'panel-stopped',
  'panel-resumed',
  'panel-connected',
  'server-started',
  'server-stopped',
  'server-restarted',
  'panel-deleted',
] as const

/** The verbs that read what happened to a panel, and in it. */
export const activityVerbs = {
  activity: action({
    method: 'GET',
    on: 'one',
    description:
      'The changes of the panel and the sign-ins to it, newest first; `before` continues after an id. Guests read neither the sign-ins and names of other guests nor the workspaces between which it was moved.',
    input: z.strictObject({ before: z.optional(z.string().check(z.maxLength(24))) }),
    output: z.object({
      acts: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(panelActs),
          at: moment,
          /** Null: the portal itself. The name is null where the reader may not know it, and for support. */
          by: z.nullable(
            z.object({
              kind: z.enum(['you', 'owner', 'guest', 'key', 'support']),
              name: z.nullable(z.string()),
            }),
          ),
          from: z.nullable(z.string()),
          to: z.nullable(z.string()),
        }),
      ),
      more: z.boolean(),
    }),
  }),
  audit: action({
    method: 'GET',
    on: 'one',
    description:
      'What people did inside the panel, as its engine tells it, newest first, for 90 days; `cursor` continues. It is asked each time and not stored. Guests need the access to accounts, and read no addresses, no names of other guests and, unless they see all domains, not what it was done to. `engine_without_readings` where the engine offers none.',
    input: z.strictObject({ cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(500))) }),
    output: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          at: z.string(),
          by: z.object({
            kind: z.enum(['you', 'owner', 'guest', 'key', 'support', 'system']),
            name: z.nullable(z.string()),
          }),
          /** In the words of the engine. */
          action: z.string(),
          target: z.nullable(z.string()),
          ip: z.nullable(z.string()),
        }),
      ),
      next: z.nullable(z.string()),
    }),
  }),
}
