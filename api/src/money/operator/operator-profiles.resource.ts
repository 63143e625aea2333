import { operatorProfiles } from '@portico/contract/resources/operator-profiles.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { addSeries, seriesInUse } from './add-series.ts'
import { editOperator } from './edit-operator.ts'

const admins = staffAlone('admin')

export default serve(operatorProfiles, {
  table: 'operator_profile',
  ofStaff: true,
  policy: { read: admins, editOperator: admins, addSeries: admins },
  columns: {
    series:
      () => sql`(select coalesce(jsonb_agg(to_jsonb(s) order by s.active desc, array_position(array['fiscal', 'credit_note', 'proforma'], s.kind), s.prefix), '[]')
      from (${seriesInUse}) s)`,
  },
  actions: { editOperator, addSeries },
})
