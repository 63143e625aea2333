import { Checkbox } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useUpdate } from '../../../api/write.ts'
import { FormFoot } from '../../../components/form-foot/form-foot.tsx'
import { orNull } from '../../../components/forms/blank.ts'
import { withTyped } from '../../../components/forms/chips.ts'
import { ChipsField } from '../../../components/forms/chips-field.tsx'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody } from '../../../ui/section.tsx'
import type { Entity } from './billing-fields.ts'
import '../../../ui/styles/checkbox.ts'

const listOf = (text: string | null) => (text ? text.split(', ') : [])

/** Further addresses for invoices. */
export function BillingEmailsForm({ entity }: { entity: Entity }) {
  const update = useUpdate('client-entities')
  const [typed, setTyped] = useState('')
  const form = useSavingForm({
    name: 'billing-emails',
    initial: {
      billing_emails: listOf(entity.billing_emails),
      attach_invoices: entity.attach_invoices,
    },
    schema: async () => (await import('../rules.ts')).billingEmails,
    save: async ({ billing_emails, attach_invoices }) => {
      const attributes = { billing_emails: orNull(billing_emails.join(', ')), attach_invoices }
      await update.mutateAsync({ id: entity.id, attributes })
      toast(m.billing_emails_saved())
    },
  })
  // A half-typed address becomes a chip before all are validated.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    form.form.setFieldValue('billing_emails', (all) => withTyped(all, typed))
    setTyped('')
    form.formProps.onSubmit(event)
  }
  return (
    <form {...form.formProps} onSubmit={submit}>
      <SectionBody>
        <ChipsField
          label={m.billing_emails_label()}
          description={m.billing_emails_text()}
          inputMode="email"
          typed={typed}
          onTyped={setTyped}
          {...form.field('billing_emails')}
        />
        <Checkbox
          label={m.billing_emails_attach()}
          description={m.billing_emails_attach_text()}
          {...form.field('attach_invoices', { type: 'checkbox' })}
        />
      </SectionBody>
      <FormFoot
        form={{
          ...form,
          isUnsaved: form.isUnsaved || typed !== '',
          discard: () => {
            setTyped('')
            form.discard()
          },
        }}
      />
    </form>
  )
}
