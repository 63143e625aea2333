import { Button, TextInput } from '@mantine/core'
import type { User } from '@portico/contract/calls/user.ts'
import { termsVersion } from '@portico/contract/legal.ts'
import { fault } from '@portico/contract/refusals/fields.ts'
import { clientEntities } from '@portico/contract/resources/client-entities.ts'
import { registerDetails } from '@portico/contract/resources/register-details.ts'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import * as z from 'zod/mini'
import { countriesQuery } from '../../api/queries/countries.ts'
import { action } from '../../api/query.ts'
import { useCreate } from '../../api/write.ts'
import { inviteToken } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { AccountKind } from '../forms/account-kind.tsx'
import { Address } from '../forms/address.tsx'
import { filled, orNull } from '../forms/blank.ts'
import { useSavingForm } from '../forms/saving-form.ts'
import { Refusal } from '../guest/card.tsx'
import classes from '../guest/guest.module.css'
import { AcceptTerms } from '../guest/terms.tsx'
import { likelyCountry } from '../phone/default-country.ts'
import { PhoneField, phoneFault } from '../phone/phone-field.tsx'

const { first_name, last_name, phone_number } = registerDetails.attributes
const of = clientEntities.attributes
const schema = z.object({
  first_name,
  last_name,
  account_type: of.account_type,
  company_name: filled(of.company_name),
  vat_number: filled(of.vat_number),
  registration_number: filled(of.registration_number),
  commerce_code: filled(of.commerce_code),
  phone_number: z.union([z.literal(''), filled(phone_number)]),
  address1: filled(of.address1),
  address2: filled(of.address2),
  city: filled(of.city),
  state: filled(of.state),
  zip_code: filled(of.zip_code),
  country_id: of.country_id,
  county_id: of.county_id,
  terms: z.boolean().check(z.refine((accepted) => accepted, fault('terms_not_accepted'))),
})
type Values = z.output<typeof schema>

type Props = {
  user: User
  /** How the account was created; with e-mail the terms were accepted at registration. */
  source: 'email' | 'google'
  /** Further actions of the form. */
  children?: ReactNode
}

/** Empty fields are sent as null. */
const orNone = (values: Omit<Values, 'terms'>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? orNull(value) : value]),
  )

const companyFault = ({ account_type, company_name }: Values) =>
  account_type === companyAccount && company_name === '' ? { company_name: m.fault_company_name() } : {}

const numberFault = ({ phone_number }: Values) => {
  const fault = phoneFault(phone_number)
  return fault === undefined ? {} : { phone_number: fault }
}

function useDetails({ user, source }: Props) {
  const create = useCreate('register-details')
  const terms = useQuery(action('published-texts', 'current', { payload: { kind: 'terms' } }))
  const { first_name, last_name, clientEntity: known } = user
  return useSavingForm<Values>({
    initial: {
      first_name,
      last_name,
      account_type: known?.account_type ?? 2,
      company_name: known?.company_name ?? '',
      vat_number: known?.vat_number ?? '',
      registration_number: known?.registration_number ?? '',
      commerce_code: known?.commerce_code ?? '',
      phone_number: known?.phone_number ?? '',
      address1: known?.address1 ?? '',
      address2: known?.address2 ?? '',
      city: known?.city ?? '',
      state: known?.state ?? '',
      zip_code: known?.zip_code ?? '',
      country_id: known?.country_id ?? null,
      county_id: known?.county_id ?? null,
      terms: source === 'email',
    },
    schema,
    alsoCheck: (values) => ({ ...companyFault(values), ...numberFault(values) }),
    save: async ({ terms: _, ...values }) => {
      await create.mutateAsync({
        attributes: {
          ...orNone(values),
          terms_version: terms.data?.version ?? termsVersion,
          marketing_consent: false,
          source: inviteToken.get() === null ? source : 'invitation',
        },
      })
    },
  })
}

/** Preselects the likely country of the visitor while none is chosen. */
function useLikelyCountry({ form }: ReturnType<typeof useDetails>): void {
  const { data: countries } = useQuery(countriesQuery)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the countries have loaded.
  useEffect(() => {
    if (!countries) return
    void likelyCountry().then((code) => {
      const found = countries.find((country) => country.code === code)
      if (found && form.getValues().country_id === null) form.setFieldValue('country_id', found.id)
    })
  }, [countries])
}

/** The details of a new account: name, phone, and billing address. Sent once. */
export function DetailsForm(props: Props) {
  const details = useDetails(props)
  useLikelyCountry(details)
  const { form, field, formProps, isSaving, refusal } = details
  return (
    <form className={classes.stack} {...formProps}>
      <Refusal message={refusal} />
      <div className={classes.pair}>
        <TextInput label={m.first_name()} autoComplete="given-name" required {...field('first_name')} />
        <TextInput label={m.last_name()} autoComplete="family-name" required {...field('last_name')} />
      </div>
      <PhoneField
        label={m.phone()}
        {...field('phone_number')}
        value={form.values.phone_number}
        onChange={(number) => form.setFieldValue('phone_number', number)}
      />
      <AccountKind form={details} />
      <Address form={details} required={false} />
      {props.source === 'google' && <AcceptTerms field={field} />}
      <Button type="submit" fullWidth loading={isSaving}>
        {m.details_submit()}
      </Button>
      {props.children}
    </form>
  )
}
