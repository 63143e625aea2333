import { Checkbox, TagsInput } from '@mantine/core'
import { billingEmails } from '@portico/contract/resources/client-entities.ts'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { useUpdate } from '../../api/write.ts'
import { chipsOf, withTyped } from '../../components/forms/chips.ts'
import { FormFoot } from '../../components/forms/form-foot.tsx'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/tags-styles.ts'
import { orNull } from '../../components/forms/blank.ts'
import { SectionBody } from '../../ui/section.tsx'
import type { Entity } from './billing-fields.ts'

// On the wire they are one text; here they are a list, judged by the rule of that text.
const schema = z.object({
  billing_emails: z.array(z.string()).check((context) => {
    const checked = z.safeParse(billingEmails, context.value.join(', '))
    for (const { message } of checked.error?.issues ?? [])
      context.issues.push({ code: 'custom', message, input: context.value })
  }),
  attach_invoices: z.boolean(),
})

const listOf = (text: string | null) => (text ? text.split(', ') : [])

/** Where invoices are sent beside the account's own address. */
export function BillingEmailsForm({ entity }: { entity: Entity }) {
  const update = useUpdate('client-entities')
  const [typed, setTyped] = useState('')
  const form = useSavingForm({
    name: 'billing-emails',
    initial: {
      billing_emails: listOf(entity.billing_emails),
      attach_invoices: entity.attach_invoices,
    },
    schema,
    save: async ({ billing_emails, attach_invoices }) => {
      const attributes = { billing_emails: orNull(billing_emails.join(', ')), attach_invoices }
      await update.mutateAsync({ id: entity.id, attributes })
      toast(m.billing_emails_saved())
    },
  })
  const field = form.field('billing_emails')
  // What is still being typed becomes an address before all are judged.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    form.form.setFieldValue('billing_emails', (all) => withTyped(all, typed))
    setTyped('')
    form.formProps.onSubmit(event)
  }
  return (
    <form {...form.formProps} onSubmit={submit}>
      <SectionBody>
        <TagsInput
          label={m.billing_emails_label()}
          description={m.billing_emails_text()}
          inputMode="email"
          splitChars={[',', ';', ' ']}
          comboboxProps={{ withinPortal: false }}
          searchValue={typed}
          onSearchChange={setTyped}
          {...field}
          // Several addresses that come at once would become one chip.
          onChange={(all) => field.onChange(all.flatMap(chipsOf))}
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
