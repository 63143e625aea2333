import { taxOffices } from '@portico/contract/resources/tax-offices.ts'
import { type SqlBool, sql } from 'kysely'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { authorise, connect, switchOff, switchOn } from './switch-office.ts'

const administrators = staffAlone('admin')

export default serve(taxOffices, {
  table: 'tax_offices',
  ofStaff: true,
  // The one that this portal is configured for.
  present: () => sql<SqlBool>`tax_offices.in_use`,
  policy: {
    read: staffAlone(...moneyStaff.roles),
    authorise: administrators,
    connect: administrators,
    switchOn: administrators,
    switchOff: administrators,
  },
  columns: {
    is_authorised: () => sql`tax_offices.refresh_sealed is not null`,
    paused_until: () => sql`case when tax_offices.paused_until > now() then tax_offices.paused_until end`,
  },
  actions: {
    authorise: outside(authorise),
    connect: outside(connect),
    switchOn: outside(switchOn),
    switchOff,
  },
})
