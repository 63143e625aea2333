import { clientPanels } from '@portico/contract/resources/client-panels.ts'
import { sql } from 'kysely'
import { everyone, own } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { confirmPanels, leave } from './client-panels.ts'
import { openToGuest } from './reach.ts'

export default serve(clientPanels, {
  table: 'client_panels',
  policy: {
    read: openToGuest(
      'client_panels.client_id',
      'client_panels.share_permission_id',
      'client_panels.panel_id',
    ),
    update: own('client_panels.client_id'),
    delete: own('client_panels.client_id'),
    leave: own('client_panels.client_id'),
    createNewClientPanel: everyone,
  },
  account: 'client_id',
  columns: { user_type: () => sql.lit(1) },
  relationships: { panel: 'panel_id', owner: 'owner_id', permission: 'share_permission_id' },
  filters: {
    client_id: 'client_id',
    owner_id: 'owner_id',
    share_permission_id: 'share_permission_id',
    panel_id: 'panel_id',
    hidden: (eb, value) => eb('client_panels.hidden', '=', sql<boolean>`${value}::boolean`),
  },
  order: 'position',
  remove: leave,
  actions: {
    createNewClientPanel: (context, { input }) => confirmPanels(context, input.share_permission_id),
    leave: async (context, { row }) => {
      await leave(context, row)
      return { status: true }
    },
  },
})
