import { billingProfiles } from '@portico/contract/resources/billing-profiles.ts'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { unionCodes } from '@portico/contract/rules/vat.ts'
import { type SqlBool, sql } from 'kysely'
import { balanceDays } from '#money/balance/balance-days.ts'
import { forecast } from '#money/balance/forecast.ts'
import { isOwedBill } from '#money/invoice-statuses.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { accountOrStaff } from '#sharing/reach.ts'
import { bookedDay } from './month/open-items.ts'
import { billingGaps } from './parties.ts'

const paymentMode = sql`case when exists (select from automated_billing_rules r
  where r.client_id = billing_profiles.client_id and r.enabled) then 'auto' else 'manual' end`

const automaticWorks = sql`exists (select from automated_billing_rules r
  join cards k on k.id = case when r.use_fallback then r.fallback_card_id else r.card_id end and k.status = 'active'
  where r.client_id = billing_profiles.client_id and r.enabled and r.status = 'active')`

/**
 * The VAT number of a company in the EU, and the last check of it; numbers are stored with their country's
 * prefix.
 */
const vatNumber = sql`client_entities n join countries o on o.id = n.country_id and o.code = any(${unionCodes}::text[])
  left join lateral (
    select v.status, v.checked_at from vat_checks v
    where v.client_id = n.client_id
      and right(v.vat_number, length(regexp_replace(n.vat_number, '[^A-Za-z0-9]', '', 'g')))
        = upper(regexp_replace(n.vat_number, '[^A-Za-z0-9]', '', 'g'))
    order by v.checked_at desc, v.id desc limit 1
  ) v on true
  where n.client_id = billing_profiles.client_id and n.account_type = ${companyAccount} and n.vat_number ~ '[A-Za-z0-9]'`

const gaps = sql`coalesce((select ${billingGaps} from client_entities e
  left join countries n on n.id = e.country_id left join counties y on y.id = e.county_id
  where e.client_id = billing_profiles.client_id), '{}')`

const isInvoiced = sql`(exists (select from panels p
    where p.client_id = billing_profiles.client_id and p.deleted_at is null)
  or exists (select from payments y where y.client_id = billing_profiles.client_id and y.settled_at is not null))`

const serviceBillsSum = sql`(select coalesce(sum(i.total - i.paid - i.credited), 0) from invoices i
  where i.client_id = billing_profiles.client_id and ${isOwedBill('i')})`

const nextBillOn = sql`(select (date_trunc('month', ${bookedDay}) + interval '1 month')::date
  from operator_profile p where exists (select from usage_charges u
    where u.client_id = billing_profiles.client_id and u.service_bill_id is null))`

/** The account-currency amounts that the browser needs to validate a payment. */
const amounts = sql`(select jsonb_build_object('deposit_least', q.deposit_least, 'deposit_most', q.deposit_most,
    'quick_amounts', q.quick_amounts, 'threshold_least', q.threshold_least, 'threshold_usual', q.threshold_usual,
    'recharge_least', q.recharge_least, 'recharge_usual', q.recharge_usual, 'cap_most', q.cap_most)
  from clients c join currency_policies q on q.currency_id = c.currency_id where c.id = billing_profiles.client_id)`

const warnBelow = sql`(select q.warn_below from clients c join currency_policies q on q.currency_id = c.currency_id
  where c.id = billing_profiles.client_id)`

export default serve(billingProfiles, {
  table: 'billing_profiles',
  // Staff have no customer account.
  present: () => sql<SqlBool>`not is_staff(billing_profiles.client_id)`,
  policy: {
    read: accountOrStaff('billing_profiles.client_id', 'billing'),
    forecast: everyone,
    history: everyone,
  },
  account: 'client_id',
  keys: { group: 'billing' },
  columns: {
    amounts: () => amounts,
    warn_below: () => warnBelow,
    billing_missing: () => gaps,
    is_invoiced: () => isInvoiced,
    payment_mode: () => paymentMode,
    automatic_works: () => automaticWorks,
    vat_check_status: () => sql`coalesce((select coalesce(v.status, 'pending') from ${vatNumber}), 'none')`,
    vat_checked_at: () => sql`(select v.checked_at from ${vatNumber})`,
    service_bills_sum: () => serviceBillsSum,
    next_bill_on: () => nextBillOn,
    seller: () => sql`(select o.legal_name from operator_profile o)`,
  },
  relationships: { client: 'client_id' },
  filters: { client_id: 'client_id' },
  actions: {
    forecast: (context, { row, input }) => forecast(context, Number(row.id), input),
    history: (context, { row }) => balanceDays(context, Number(row.id)),
  },
})
