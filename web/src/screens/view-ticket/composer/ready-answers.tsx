import { Button } from '@mantine/core'
import { m } from '../../../texts/compiled/messages.js'
import { LateMenu } from '../../../ui/loading/late-menu.tsx'
import type { Ticket } from '../ticket.ts'
import type { Macro } from './macro-line.tsx'

export type Ready = { ticket: Ticket; onPick: (text: string, macro: Macro | undefined) => void }

/** The choice among ready answers; clients never load it. */
export function ReadyAnswers(of: Ready) {
  return (
    <LateMenu load={async () => (await import('./ready-menu.tsx')).ReadyMenu} of={of}>
      <Button size="xs" variant="default" aria-haspopup="menu">
        {m.ready_answers()}
      </Button>
    </LateMenu>
  )
}
