import { IconCheck } from '../../ui/icons.tsx'
import classes from './may-list.module.css'

/** The permissions of a person, one per line. */
export function MayList({ lines, label }: { lines: readonly string[]; label?: string }) {
  return (
    <ul className={classes.list} {...(label && { 'aria-label': label })}>
      {lines.map((line) => (
        <li key={line}>
          <IconCheck size={16} aria-hidden="true" />
          <span>{line}</span>
        </li>
      ))}
    </ul>
  )
}
