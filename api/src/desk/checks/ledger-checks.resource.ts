import { ledgerChecks } from '@portico/contract/resources/ledger-checks.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { verifyLedger } from './verify-ledger.ts'

export default serve(ledgerChecks, {
  table: 'ledger_checks',
  ofStaff: true,
  policy: { read: staffAlone('support', 'admin', 'readonly'), verifyLedger: staffAlone('admin') },
  columns: {
    asked_by: () => sql`(select a.display_name from admins a where a.id = ledger_checks.admin_id)`,
  },
  order: '-createdAt',
  actions: { verifyLedger },
})
