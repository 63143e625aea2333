import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { m } from '../../../texts/compiled/messages.js'
import { lazily } from '../../../ui/loading/lazily.ts'
import { focusSection, SectionBody, SectionFoot } from '../../../ui/section.tsx'
import classes from '../manage-account.module.css'
import type { Security } from '../security-data.ts'

const PendingEmail = lazily(async () => (await import('./email-pending.tsx')).PendingEmail)
const EmailForm = lazily(async () => (await import('./email-form.tsx')).EmailForm)

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
        {security.pending_email && (
          <Suspense>
            <PendingEmail address={security.pending_email} />
          </Suspense>
        )}
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
