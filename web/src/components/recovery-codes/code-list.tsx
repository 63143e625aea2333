import { Button } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import classes from './code-list.module.css'

/** The file name is the same in every language, because people search for it. */
const fileName = 'portico-recovery-codes.txt'

/** Recovery codes, to copy and to download. */
export function CodeList({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${m.recovery_codes_file()}\n\n${text}\n`)}`
  return (
    <>
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
    </>
  )
}
