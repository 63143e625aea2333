import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { SubmitButton } from '../../../components/form-foot/submit-button.tsx'
import { useSavingForm } from '../../../components/forms/saving-form.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody, SectionFoot } from '../../../ui/section.tsx'
import { email } from '../rules.ts'

/** Asks for the new address. */
export function EmailForm({ onDone }: { onDone: () => void }) {
  const change = useCall(addresses.changeEmail)
  const form = useSavingForm({
    initial: { email: '' },
    schema: email,
    save: async (values) => {
      await change.mutateAsync(values)
      toast(m.email_sent(values))
      onDone()
    },
  })
  return (
    <form {...form.formProps}>
      <SectionBody>
        <TextInput
          label={m.email_new()}
          description={m.email_new_text()}
          type="email"
          autoComplete="email"
          maxLength={254}
          // The person has just opened this form.
          autoFocus
          {...form.field('email')}
        />
      </SectionBody>
      <SectionFoot note={<Refusal>{form.refusal}</Refusal>}>
        <Button variant="default" onClick={onDone}>
          {m.cancel()}
        </Button>
        <SubmitButton loading={form.isSaving}>{m.email_change()}</SubmitButton>
      </SectionFoot>
    </form>
  )
}
