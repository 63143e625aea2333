import { Button } from '@mantine/core'
import { m } from '../../../texts/compiled/messages.js'
import { SectionFoot } from '../../../ui/section.tsx'

type Props = { left: number; onChoose: (kind: 'renew' | 'disable') => void }

/** The actions once two-factor authentication is on. */
export function TwoFactorOn({ left, onChoose }: Props) {
  return (
    <SectionFoot note={m.recovery_codes_left({ count: left })}>
      <Button variant="default" onClick={() => onChoose('renew')}>
        {m.recovery_codes_renew()}
      </Button>
      <Button variant="default" onClick={() => onChoose('disable')}>
        {m.two_factor_turn_off()}
      </Button>
    </SectionFoot>
  )
}
