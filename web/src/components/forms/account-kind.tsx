import { SegmentedControl, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { companyAccount } from '@portico/contract/rules/billing-complete.ts'
import type { ReactNode } from 'react'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/segmented.ts'
import classes from './form.module.css'

type Props = {
  form: {
    form: {
      values: { readonly account_type: 1 | 2 }
      setFieldValue: (field: 'account_type', value: 1 | 2) => void
    }
    field: (
      name: 'company_name' | 'vat_number' | 'registration_number' | 'commerce_code',
    ) => GetInputPropsReturnType
  }
  /** The additional fields of a company. */
  children?: ReactNode
}

/** Whether a person or a company is billed, with the additional fields of a company. */
export function AccountKind({ form: { form, field }, children }: Props) {
  const { account_type } = form.values
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={m.account_type()}
        data={[
          { value: '2', label: m.account_person() },
          { value: '1', label: m.account_company() },
        ]}
        value={String(account_type)}
        onChange={(value) => form.setFieldValue('account_type', value === '1' ? 1 : 2)}
      />
      {account_type === companyAccount && (
        <>
          <TextInput
            label={m.company_name()}
            autoComplete="organization"
            required
            {...field('company_name')}
          />
          <div className={classes.pair}>
            <TextInput label={m.vat_number()} {...field('vat_number')} />
            <TextInput label={m.commerce_code()} {...field('commerce_code')} />
          </div>
          {children}
          <TextInput
            label={m.registration_number()}
            description={m.registration_number_hint()}
            {...field('registration_number')}
          />
        </>
      )}
    </>
  )
}
