import { IconCheck } from '../icons.tsx'
import { IconCopy } from '../more-icons.tsx'
import classes from './copyable.module.css'
import { useCopying } from './copying.ts'

type Props = { value: string; label: string; done: string }

/** A value to use in another program, with a button next to it that copies it. */
export function Copyable({ value, label, done }: Props) {
  const copying = useCopying(value)
  const Mark = copying?.copied ? IconCheck : IconCopy
  return (
    <span className={`numbers ${classes.text}`}>
      {value}
      {copying && (
        <>
          <button
            type="button"
            className={classes.copy}
            aria-label={label}
            title={label}
            onClick={copying.copy}
          >
            <Mark size={16} aria-hidden="true" />
          </button>
          <span className="unseen" role="status">
            {copying.copied && done}
          </span>
        </>
      )}
    </span>
  )
}
