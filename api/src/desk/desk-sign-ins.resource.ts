import { deskSignIns, signInKinds } from '@portico/contract/resources/desk-sign-ins.ts'
import { type SqlBool, sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, notStaff, staffAlone } from '#staff/roles.ts'

const kinds = sql.join(signInKinds.map((kind) => sql.lit(kind)))

export default serve(deskSignIns, {
  table: 'auth_events',
  ofStaff: true,
  pageFirst: true,
  present: () => sql<SqlBool>`(auth_events.kind in (${kinds}) and exists (
    select from clients c where c.auth_id = auth_events.account_id and ${notStaff('c')}))`,
  policy: { read: staffAlone(...allStaff) },
  columns: {
    client_id: () => sql`(select c.id from clients c where c.auth_id = auth_events.account_id)`,
    ip: () => sql`host(auth_events.ip)`,
  },
  filters: {
    client_id: (_, value) =>
      sql`auth_events.account_id = (select c.auth_id from clients c where c.id = ${value}::bigint)`,
  },
  order: '-at',
})
