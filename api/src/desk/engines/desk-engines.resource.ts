import { deskEngines } from '@portico/contract/resources/desk-engines.ts'
import { sql } from 'kysely'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { rejectionsOf } from '#usage/take-again.ts'
import {
  add,
  disable,
  edit,
  enable,
  finish,
  makeDefault,
  probe,
  rotate,
  takeRejected,
} from './engine-verbs.ts'
import { accounts, linkAccounts, releaseAccounts } from './take-over-verbs.ts'

const admins = staffAlone('admin')
const readers = staffAlone('support', 'admin', 'readonly')

const state = sql`case when panel_engines.disabled_at is not null then 'disabled' else panel_engines.health end`

export default serve(deskEngines, {
  table: 'panel_engines',
  ofStaff: true,
  policy: {
    read: readers,
    add: admins,
    edit: admins,
    probe: admins,
    rotate: admins,
    finish: admins,
    makeDefault: admins,
    disable: admins,
    enable: admins,
    rejections: readers,
    takeAgain: admins,
    accounts: admins,
    takeOver: admins,
    release: admins,
  },
  columns: {
    state: () => state,
    detail: () => sql`panel_engines.health_detail`,
    checked_at: () => sql`panel_engines.health_checked_at`,
    panels: () =>
      sql`(select count(*)::int from panels p where p.panel_engine_id = panel_engines.id and p.deleted_at is null)`,
    panels_failed: () =>
      sql`(select count(*)::int from panels p where p.panel_engine_id = panel_engines.id and p.deleted_at is null
        and p.status = 'error')`,
    used_through: () =>
      sql`(select w.through from engine_watermarks w where w.panel_engine_id = panel_engines.id)`,
    unpriced: () =>
      sql`(select count(*)::int from usage_meter_days d join panels p on p.id = d.panel_id
        where d.unpriced and p.panel_engine_id = panel_engines.id)`,
    secrets: () =>
      sql`(select count(*)::int from panel_engine_secrets s where s.panel_engine_id = panel_engines.id)`,
    rejected: () =>
      sql`(select count(*)::int from usage_rejections r where r.panel_engine_id = panel_engines.id)`,
  },
  filters: { state: (_, value) => sql`(${state}) = ${value}` },
  actions: {
    add: outside(add),
    edit: outside(edit),
    probe: outside(probe),
    rotate,
    finish,
    makeDefault,
    disable,
    enable,
    rejections: async ({ tx }, { row }) => ({ causes: await rejectionsOf(tx, row.id) }),
    takeAgain: takeRejected,
    accounts: outside(accounts),
    takeOver: outside(linkAccounts),
    release: outside(releaseAccounts),
  },
})
