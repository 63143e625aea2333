import {
  operatorSettings,
  secretSettings,
  settingGroups,
} from '@portico/contract/resources/operator-settings.ts'
import { sql } from 'kysely'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { staffAlone } from '#staff/roles.ts'
import { clear, save } from './save-settings.ts'
import { sendTest } from './test-letter.ts'
import { webhook } from './webhook.ts'

const admins = staffAlone('admin')

export default serve(operatorSettings, {
  table: 'operator_settings',
  ofStaff: true,
  policy: { read: admins, save: admins, clear: admins, sendTest: admins, webhook: admins },
  columns: {
    group: () =>
      sql`case when operator_settings.key = any(${[...settingGroups.mail]}::text[]) then 'mail' else 'payments' end`,
    is_secret: () => sql`operator_settings.key = any(${[...secretSettings]}::text[])`,
    source: () => sql`case when operator_settings.by_server then 'server'
      when operator_settings.value is not null or operator_settings.sealed is not null then 'desk' else 'none' end`,
    value: () =>
      sql`case when operator_settings.by_server then operator_settings.server_value else operator_settings.value end`,
  },
  actions: {
    save: outside(save),
    clear: outside(clear),
    sendTest: outside(sendTest),
    webhook,
  },
})
