import classes from './status.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'idle'

/** A state in a word; the colour only repeats it. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`${classes.status} ${classes[tone]}`}>{children}</span>
}
