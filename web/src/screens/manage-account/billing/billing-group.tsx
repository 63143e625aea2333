import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../../api/queries/user.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { Section } from '../../../ui/section.tsx'
import { useArrivalAtSection } from '../section-nav.tsx'
import { BillingForm } from './billing.tsx'
import { BillingEmailsForm } from './billing-emails.tsx'
import { entityQuery } from './billing-fields.ts'
import { Currency, currencyOf } from './currency.tsx'

/** The details, currency and recipients of invoices. */
export function BillingGroup() {
  const query = useQuery(entityQuery)
  const currency = useQuery(currencyOf(useUser().id))
  useArrivalAtSection(!query.isLoading && !currency.isLoading)
  return (
    <>
      <Section id="billing" title={m.account_billing()} lead={m.billing_lead()}>
        <Loaded query={query} rows={8}>
          {({ items: [entity] }) => entity && <BillingForm entity={entity} />}
        </Loaded>
      </Section>
      <Section id="currency" title={m.account_currency()} lead={m.currency_lead()}>
        <Loaded query={currency} rows={1}>
          {(choice) => <Currency choice={choice} />}
        </Loaded>
      </Section>
      <Section id="billing-emails" title={m.account_billing_emails()} lead={m.billing_emails_lead()}>
        <Loaded query={query} rows={1}>
          {({ items: [entity] }) => entity && <BillingEmailsForm entity={entity} />}
        </Loaded>
      </Section>
    </>
  )
}
