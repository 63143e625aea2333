import type { ReactNode } from 'react'
import classes from './figures.module.css'

export type Figure = { name: string; value: ReactNode; note?: ReactNode; isBad?: boolean }

/** Key figures in large type. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={`card ${classes.figures}`}>
      {figures.map(({ name, value, note, isBad = false }) => (
        <div key={name} className={classes.figure}>
          <dt>{name}</dt>
          <dd className={isBad ? classes.bad : undefined}>{value}</dd>
          {note && <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
