import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { Suspense, useState } from 'react'
import { inWords } from '../../../api/refusal-words.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { lazily } from '../../../ui/loading/lazily.ts'
import { focusSection, SectionBody, SectionFoot } from '../../../ui/section.tsx'
import { Status } from '../../../ui/status.tsx'
import classes from '../manage-account.module.css'
import type { Security } from '../security-data.ts'

const EmailForm = lazily(async () => (await import('./email-form.tsx')).EmailForm)

/** The new address, until its owner follows the link in the mail. */
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

/** The sign-in address, and the form to change it. */
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
        <Suspense>
          <EmailForm onDone={done} />
        </Suspense>
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
