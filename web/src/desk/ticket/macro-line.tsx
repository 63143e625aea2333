import { Button } from '@mantine/core'
import type { Macro } from '../../components/thread/composer.tsx'
import classes from '../../components/thread/thread.module.css'
import { m } from '../../texts/compiled/messages.js'

/** Tells what happens with the answer, and lets it be sent without that. */
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
