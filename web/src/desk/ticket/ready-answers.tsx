import { Button } from '@mantine/core'
import type { Macro } from '../../components/thread/composer.tsx'
import type { Ticket } from '../../components/thread/ticket.ts'
import { m } from '../../texts/compiled/messages.js'
import { LateMenu } from '../../ui/loading/late-menu.tsx'

export type Ready = { ticket: Ticket; onPick: (text: string, macro: Macro | undefined) => void }

/** The choice among ready answers. */
export function ReadyAnswers(of: Ready) {
  return (
    <LateMenu load={async () => (await import('./ready-menu.tsx')).ReadyMenu} of={of}>
      <Button size="xs" variant="default" aria-haspopup="menu">
        {m.ready_answers()}
      </Button>
    </LateMenu>
  )
}
