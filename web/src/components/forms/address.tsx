import { NativeSelect, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { byName, countiesQuery, countriesQuery } from '../../api/queries/countries.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './form.module.css'

type Texts = 'address1' | 'address2' | 'city' | 'zip_code' | 'state'
type Places = 'country_id' | 'county_id'
type Props = {
  form: {
    form: {
      values: { readonly [P in Places]: number | null }
      setFieldValue: (field: Places, value: number | null) => void
    }
    field: (name: Texts | Places) => GetInputPropsReturnType
  }
  /** Whether required fields are marked; the form checks them. */
  required: boolean
}

const idOf = (value: string) => (value === '' ? null : Number(value))

/** The billing address. Countries with counties offer a choice; for others the region is a text. */
export function Address({ form: { form, field }, required }: Props) {
  const { country_id, county_id } = form.values
  const countries = useQuery(countriesQuery)
  const counties = useQuery(countiesQuery(country_id))
  const chooseCountry = (id: number | null) => {
    form.setFieldValue('country_id', id)
    // A county belongs to its country, so it is reset with it.
    form.setFieldValue('county_id', null)
  }
  const region = counties.data?.items ?? []
  return (
    <>
      <NativeSelect
        label={m.country()}
        autoComplete="country-name"
        required={required}
        {...field('country_id')}
        disabled={!countries.data}
        value={countries.data ? (country_id ?? '') : ''}
        onChange={(event) => chooseCountry(idOf(event.currentTarget.value))}
      >
        <option value="">{m.choose()}</option>
        {byName(countries.data ?? [], language()).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <TextInput
        label={m.address()}
        autoComplete="address-line1"
        required={required}
        {...field('address1')}
      />
      <TextInput label={m.address_more()} autoComplete="address-line2" {...field('address2')} />
      <div className={classes.pair}>
        <TextInput label={m.city()} autoComplete="address-level2" required={required} {...field('city')} />
        <TextInput
          label={m.zip_code()}
          autoComplete="postal-code"
          required={required}
          {...field('zip_code')}
        />
      </div>
      {region.length > 0 ? (
        <NativeSelect
          label={m.county()}
          required={required}
          {...field('county_id')}
          value={county_id ?? ''}
          onChange={(event) => form.setFieldValue('county_id', idOf(event.currentTarget.value))}
        >
          <option value="">{m.choose()}</option>
          {region.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      ) : (
        <TextInput label={m.region()} autoComplete="address-level1" {...field('state')} />
      )}
    </>
  )
}
