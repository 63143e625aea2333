import { m } from '../../texts/compiled/messages.js'
import classes from './lists.module.css'

const cross = '×'

/** A filter that a list has by itself, and that one press removes. */
export function Chip({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className={classes.chip}
      aria-label={m.desk_chip_remove({ name })}
      onClick={onRemove}
    >
      {name}
      <span aria-hidden="true">{cross}</span>
    </button>
  )
}
