import * as z from 'zod/mini'
import { idParameter, integerId, moment, noInput, stamps } from '../fields.ts'
import { action, resource, toOne } from '../jsonapi.ts'

export const clientPanels = resource('client-panels', {
  description:
    'Another person’s panel that the reader may use, in the reader’s own list. The permission decides what they see of it; these are their settings for it.',
  attributes: {
    /** The reader. */
    client_id: integerId,
    /** The owner of the panel. */
    owner_id: integerId,
    share_permission_id: integerId,
    panel_id: integerId,
    /** 1: shared with the reader. */
    user_type: z.int(),
    /** Hidden by the reader on their dashboard. */
    hidden: z.boolean(),
    position: z.int().check(z.gte(0), z.lte(1_000_000)),
    last_connected_at: z.nullable(moment),
    ...stamps,
  },
  relationships: {
    panel: toOne('panels'),
    owner: toOne('clients'),
    permission: toOne('share-permissions'),
  },
  update: ['hidden', 'position'],
  delete: true,
  filters: {
    client_id: idParameter,
    owner_id: idParameter,
    share_permission_id: idParameter,
    panel_id: idParameter,
    hidden: z.enum(['true', 'false']),
  },
  sorts: ['position', 'createdAt'],
  actions: {
    createNewClientPanel: action({
      method: 'POST',
      on: 'type',
      description:
        'Updates the list from a permission, which acceptance has done already; only for the person who accepted.',
      input: z.object({ share_permission_id: integerId }),
      output: z.object({
        status: z.boolean(),
        client_panels: z.array(z.object({ id: integerId, panel_id: integerId })),
      }),
    }),
    leave: action({
      method: 'POST',
      on: 'one',
      description:
        'Gives up everything that the owner of this panel shared with the reader, as if the owner had removed them.',
      input: noInput,
      output: z.object({ status: z.boolean() }),
    }),
  },
})
