import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CodeList } from '../../../components/recovery-codes/code-list.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody, SectionFoot } from '../../../ui/section.tsx'
import classes from '../manage-account.module.css'

/** The recovery codes, each for one sign-in without the app. They are shown only now. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <>
      <SectionBody>
        <div>
          <h3 ref={title} tabIndex={-1} className={classes.subtitle}>
            {m.recovery_codes_title()}
          </h3>
          <p>{m.recovery_codes_text()}</p>
        </div>
        <CodeList codes={codes} />
      </SectionBody>
      <SectionFoot>
        <Button onClick={onKept}>{m.recovery_codes_kept()}</Button>
      </SectionFoot>
    </>
  )
}
