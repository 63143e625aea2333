import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { CompanyLookup } from '../../components/company-lookup/company-lookup.tsx'
import { type SavingForm, useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import { useCounties, useCountries, useCountryId } from '../vat/countries.ts'
import { ReasonFoot } from '../verbs/reason-foot.tsx'
import { useShownAsSaved } from '../verbs/shown-as-saved.ts'
import { because } from '../verbs/verb-dialog.tsx'
import '../../ui/styles/checkbox.ts'
import classes from './company.module.css'
import { type CompanyValues, companyRules, onTheWire, valuesOf } from './company-values.ts'

type Of = { form: SavingForm<CompanyValues> }

/** Fills in what the tax office knows of the number for VAT. */
function LookUp({ form: { form } }: Of) {
  const { legal_name: company_name, country, ...values } = form.values
  const country_id = useCountryId(country) ?? null
  return (
    <CompanyLookup
      values={{ ...values, company_name, country_id }}
      onFill={(field, value) => form.setFieldValue(field === 'company_name' ? 'legal_name' : field, value)}
    />
  )
}

function Details({ form }: Of) {
  const { field, form: fields } = form
  const countries = useCountries()
  const counties = useCounties(fields.values.country)
  return (
    <SectionBody>
      <TextInput label={m.desk_company_name()} required {...field('legal_name')} />
      <div className={classes.pair}>
        <TextInput
          label={m.desk_company_tax()}
          description={m.desk_company_tax_hint()}
          required
          {...field('tax_number')}
        />
        <TextInput
          label={m.desk_company_vat()}
          description={m.desk_company_vat_hint()}
          {...field('vat_number')}
        />
      </div>
      <LookUp form={form} />
      <TextInput label={m.desk_company_register()} {...field('commerce_code')} />
      <NativeSelect
        label={m.country()}
        description={m.desk_company_country_hint()}
        data={countries}
        {...field('country')}
        onChange={({ currentTarget }) => {
          fields.setFieldValue('country', currentTarget.value)
          // A county belongs to its country, so it is reset with it.
          fields.setFieldValue('county_code', '')
        }}
      />
      <TextInput label={m.address()} required {...field('address1')} />
      <div className={classes.pair}>
        <TextInput
          label={m.city()}
          required
          {...(fields.values.county_code === 'RO-B' && { description: m.desk_company_sector_hint() })}
          {...field('city')}
        />
        <TextInput label={m.zip_code()} {...field('zip_code')} />
      </div>
      {/* A county that is set keeps its place until the names arrive. */}
      {(counties.length > 0 || fields.values.county_code !== '') && (
        <NativeSelect
          label={m.county()}
          required={fields.values.country === 'RO'}
          data={[{ value: '', label: m.choose() }, ...counties]}
          {...field('county_code')}
        />
      )}
      <div className={classes.pair}>
        <TextInput label={m.email()} type="email" {...field('email')} />
        <TextInput label={m.phone()} type="tel" {...field('phone')} />
      </div>
      <TextInput label={m.desk_company_website()} {...field('website')} />
    </SectionBody>
  )
}

function zones(chosen: string): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return known.includes(chosen) ? known : [chosen, ...known]
}

function Terms({ form: { field, form } }: Of) {
  return (
    <SectionBody>
      <div className={classes.pair}>
        <TextInput label={m.transfer_iban()} {...field('iban')} />
        <TextInput label={m.desk_company_bank_name()} {...field('bank_name')} />
      </div>
      <Checkbox label={m.desk_company_oss()} {...field('oss_registered', { type: 'checkbox' })} />
      <div className={classes.pair}>
        <TextInput
          label={m.desk_company_currency()}
          description={m.desk_company_currency_hint()}
          maxLength={3}
          {...field('base_currency')}
        />
        <TextInput
          label={m.desk_company_oss_threshold()}
          description={m.desk_company_oss_threshold_hint()}
          inputMode="decimal"
          {...field('oss_threshold')}
        />
        <TextInput
          label={m.desk_company_due()}
          description={m.desk_company_days_hint()}
          inputMode="numeric"
          {...field('due_days')}
        />
        <TextInput
          label={m.desk_company_proforma()}
          description={m.desk_company_days_hint()}
          inputMode="numeric"
          {...field('proforma_days')}
        />
      </div>
      <NativeSelect
        label={m.desk_company_zone()}
        description={m.desk_company_zone_hint()}
        data={zones(form.values.time_zone)}
        {...field('time_zone')}
      />
    </SectionBody>
  )
}

/** The company of documents, which administrators set and change. */
export function CompanyForm({ company }: { company: Row<'operator-profiles'> | undefined }) {
  const action = useAction('operator-profiles', 'editOperator')
  const initial = valuesOf(company)
  const form = useSavingForm<CompanyValues>({
    name: 'desk-company',
    initial,
    schema: companyRules,
    save: async (values) => {
      await action.mutateAsync({ payload: onTheWire(values), headers: because(values.reason) })
      toast(m.desk_company_saved())
    },
  })
  useShownAsSaved(form, initial, company?.updatedAt)
  return (
    <form {...form.formProps}>
      <Section id="company" title={m.desk_company_details()}>
        <Details form={form} />
        <Terms form={form} />
        <ReasonFoot form={form} />
      </Section>
    </form>
  )
}
