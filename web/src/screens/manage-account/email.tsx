import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { email } from '@portico/contract/calls/credentials.ts'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useCall } from '../../api/write.ts'
import { Refusal } from '../../components/forms/form-foot.tsx'
import { inWords } from '../../components/forms/refusal.ts'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { SubmitButton } from '../../components/forms/submit-button.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { focusSection, SectionBody, SectionFoot } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './manage-account.module.css'
import type { Security } from './security-data.ts'

const schema = z.object({ email })

/** The address that was asked for and waits for its owner to follow the link that was sent there. */
function Pending({ address }: { address: string }) {
  const change = useCall(addresses.changeEmail)
  const again = () =>
    change.mutate({ email: address }, { onSuccess: () => toast(m.email_sent({ email: address })) })
  return (
    <div className={classes.notice}>
      <p>
        <strong>{address}</strong> <Status tone="warn">{m.email_pending()}</Status>
      </p>
      <p className="quiet">{m.email_pending_text()}</p>
      <Button size="xs" variant="default" loading={change.isPending} onClick={again}>
        {m.email_again()}
      </Button>
      <Refusal>{change.error ? inWords(change.error) : undefined}</Refusal>
    </div>
  )
}

function ChangeForm({ onDone }: { onDone: () => void }) {
  const change = useCall(addresses.changeEmail)
  const form = useSavingForm({
    initial: { email: '' },
    schema,
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
          // The field is there because one has just asked for it.
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

/** The address one signs in with, and the way to another. */
export function EmailBody({ security }: { security: Security }) {
  const [changing, setChanging] = useState(false)
  const done = () => {
    setChanging(false)
    focusSection('email')
  }
  return (
    <>
      <SectionBody>
        <p className={classes.figure}>{security.email}</p>
        {security.pending_email && <Pending address={security.pending_email} />}
      </SectionBody>
      {changing ? (
        <ChangeForm onDone={done} />
      ) : (
        <SectionFoot>
          <Button variant="default" onClick={() => setChanging(true)}>
            {m.email_change()}
          </Button>
        </SectionFoot>
      )}
    </>
  )
}
