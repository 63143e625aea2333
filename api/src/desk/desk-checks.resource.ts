import { deskChecks } from '@portico/contract/resources/desk-checks.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { requestChecks } from './checks/kept-checks.ts'

export default serve(deskChecks, {
  table: 'checks',
  ofStaff: true,
  routine: true,
  policy: { read: staffAlone('support', 'admin', 'readonly'), run: staffAlone('admin') },
  filters: { state: 'state' },
  actions: {
    run: async ({ tx }) => ({
      queued: true as const, // The only value.
      queued_at: await requestChecks(tx),
    }),
  },
})
