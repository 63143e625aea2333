import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { m } from '../../../texts/compiled/messages.js'
import { CopyButton } from '../../../ui/copy/copy-button.tsx'
import { SectionBody, SectionFoot } from '../../../ui/section.tsx'
import classes from '../manage-account.module.css'

/** The file name is the same in every language, because people search for it. */
const fileName = 'portico-recovery-codes.txt'

/** The recovery codes, each for one sign-in without the app. They are shown only now. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${m.recovery_codes_file()}\n\n${text}\n`)}`
  return (
    <>
      <SectionBody>
        <div>
          <h3 ref={title} tabIndex={-1} className={classes.subtitle}>
            {m.recovery_codes_title()}
          </h3>
          <p>{m.recovery_codes_text()}</p>
        </div>
        <ul className={classes.codes} aria-label={m.recovery_codes_title()}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className={classes.buttons}>
          <CopyButton value={text} label={m.copy()} done={m.copied()} />
          <Button size="xs" variant="default" component="a" href={file} download={fileName}>
            {m.download()}
          </Button>
        </div>
      </SectionBody>
      <SectionFoot>
        <Button onClick={onKept}>{m.recovery_codes_kept()}</Button>
      </SectionFoot>
    </>
  )
}
