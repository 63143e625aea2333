import { Button } from '@mantine/core'
import { m } from '../../../texts/compiled/messages.js'
import classes from '../view-ticket.module.css'

/** A macro that runs when the answer is sent. */
export type Macro = { id: number; does: string }

/** Tells what happens with the answer, and lets it be sent without that. Clients never load it. */
export function MacroLine({ macro, onDrop }: { macro: Macro; onDrop: () => void }) {
  return (
    <p className={classes.macro} role="status">
      {m.macro_with({ actions: macro.does })}
      <Button size="compact-xs" variant="subtle" onClick={onDrop}>
        {m.macro_drop()}
      </Button>
    </p>
  )
}
