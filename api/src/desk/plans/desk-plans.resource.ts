import { deskPlans } from '@portico/contract/resources/desk-plans.ts'
import { sql } from 'kysely'
import { limitsOfPlan } from '#money/pricing/plan-limits.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { addDraft, deleteDraft, draft, editDraft } from './draft-verbs.ts'
import { example, file } from './plan-text.ts'
import { previewPlans } from './preview-plans.ts'
import { publishPlans } from './publish-plans.ts'

const readers = staffAlone(...moneyStaff.roles)
const writers = staffAlone(...moneyWriters.roles)

/** SQL: what a plan costs in each list that has a price of it, today and next. */
const prices = sql`(select coalesce(json_agg(json_build_object('list', b.code, 'currency', b.currency,
    'monthly', now.monthly, 'from', lower(now.valid), 'next', (
      select json_build_object('monthly', x.monthly, 'from', lower(x.valid)) from plan_prices x
      where x.price_list_id = b.id and x.plan_id = plans.id and lower(x.valid) > clock_today()
      order by lower(x.valid) limit 1)) order by not b.is_default, b.currency, b.code), '[]')
  from price_lists b left join plan_prices now
    on now.price_list_id = b.id and now.plan_id = plans.id and now.valid @> clock_today()
  where exists (select from plan_prices p where p.price_list_id = b.id and p.plan_id = plans.id
    and (upper_inf(p.valid) or upper(p.valid) > clock_today())))`

export default serve(deskPlans, {
  table: 'plans',
  ofStaff: true,
  policy: {
    read: readers,
    file: readers,
    example: readers,
    previewPlans: writers,
    publishPlans: writers,
    draft: readers,
    addDraft: writers,
    editDraft: writers,
    deleteDraft: writers,
  },
  columns: { limits: () => limitsOfPlan, prices: () => prices },
  order: 'position',
  actions: { file, example, previewPlans, publishPlans, draft, addDraft, editDraft, deleteDraft },
})
