import { TextInput } from '@mantine/core'
import { requiredForBilling } from '@portico/contract/rules/billing-complete.ts'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../api/client.ts'
import { billingQuery } from '../../../api/queries/billing.ts'
import { countiesQuery } from '../../../api/queries/countries.ts'
import { useUpdate } from '../../../api/write.ts'
import { CompanyLookup } from '../../../components/company-lookup/company-lookup.tsx'
import { FormFoot } from '../../../components/form-foot/form-foot.tsx'
import { AccountKind } from '../../../components/forms/account-kind.tsx'
import { Address } from '../../../components/forms/address.tsx'
import { orNull } from '../../../components/forms/blank.ts'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { gapsListed } from '../../../components/notices/gap-names.ts'
import { PhoneField, phoneFault } from '../../../components/phone/phone-field.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody } from '../../../ui/section.tsx'
import classes from '../manage-account.module.css'
import type { BillingValues } from '../rules.ts'
import { type Entity, missingFor } from './billing-fields.ts'

const initialOf = (entity: Entity): BillingValues => ({
  account_type: entity.account_type,
  company_name: entity.company_name ?? '',
  vat_number: entity.vat_number ?? '',
  registration_number: entity.registration_number ?? '',
  commerce_code: entity.commerce_code ?? '',
  address1: entity.address1 ?? '',
  address2: entity.address2 ?? '',
  city: entity.city ?? '',
  state: entity.state ?? '',
  zip_code: entity.zip_code ?? '',
  country_id: entity.country_id,
  county_id: entity.county_id,
  phone_number: entity.phone_number ?? '',
  po_number: entity.po_number ?? '',
})

/** The schema requires fields that the form may leave out. A saved empty string passes. */
function faultsOf(values: BillingValues, entity: Entity) {
  const blank = requiredForBilling(values.account_type).filter(
    (field) => values[field] === null || values[field] === '',
  )
  const missing = blank.filter((field) => entity[field] === null || entity[field] !== '')
  return Object.fromEntries(missing.map((field) => [field, m.needed_on_invoices()]))
}

/** Countries with counties are those whose invoices name one. */
function countyFault({ country_id, county_id }: BillingValues) {
  const counties = queryClient.getQueryData(countiesQuery(country_id).queryKey)?.items ?? []
  return counties.length > 0 && county_id === null ? { county_id: m.needed_on_invoices() } : {}
}

/** A saved number stays, whatever its format. */
function numberFault({ phone_number }: BillingValues, entity: Entity) {
  const fault = phone_number === entity.phone_number ? undefined : phoneFault(phone_number)
  return fault === undefined ? {} : { phone_number: fault }
}

/** The changed fields for the request; an emptied field becomes null. */
const onTheWire = (changed: Partial<BillingValues>) =>
  Object.fromEntries(
    Object.entries(changed).map(([field, value]) => [
      field,
      typeof value === 'string' ? orNull(value) : value,
    ]),
  )

/** The billing details; fields that an invoice needs are named while they are missing. */
export function BillingForm({ entity }: { entity: Entity }) {
  const update = useUpdate('client-entities')
  const form = useSavingForm({
    name: 'billing',
    initial: initialOf(entity),
    schema: async () => (await import('../rules.ts')).billing,
    alsoCheck: (values) => ({
      ...faultsOf(values, entity),
      ...countyFault(values),
      ...numberFault(values, entity),
    }),
    save: async (_, changed) => {
      await update.mutateAsync({ id: entity.id, attributes: onTheWire(changed) })
      toast(m.billing_saved())
    },
  })
  const { field } = form
  // What documents need is decided by the server, which is stricter than the form.
  const missing = useQuery(billingQuery).data?.items[0]?.billing_missing ?? missingFor(entity)
  return (
    <form {...form.formProps}>
      <SectionBody>
        {missing.length > 0 && (
          <p className={classes.missing}>{m.billing_missing({ fields: gapsListed(missing) })}</p>
        )}
        <AccountKind form={form}>
          <CompanyLookup values={form.form.values} onFill={form.form.setFieldValue} />
        </AccountKind>
        <Address form={form} required />
        <div className={classes.pair}>
          <PhoneField
            label={m.phone()}
            {...field('phone_number')}
            value={form.form.values.phone_number}
            onChange={(number) => form.form.setFieldValue('phone_number', number)}
          />
          <TextInput label={m.po_number()} {...field('po_number')} />
        </div>
      </SectionBody>
      <FormFoot form={form} />
    </form>
  )
}
