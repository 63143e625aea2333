import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { useCall } from '../../../api/write.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { CodeDialog } from './code-dialog.tsx'

type Props = { onCodes: (codes: readonly string[]) => void; onClose: () => void }

function Renew({ onCodes, onClose }: Props) {
  const renew = useCall(addresses.recoveryCodes)
  return (
    <CodeDialog
      title={m.recovery_codes_renew()}
      text={m.recovery_codes_renew_text()}
      verb={m.recovery_codes_renew()}
      onClose={onClose}
      submit={async (code) => onCodes((await renew.mutateAsync({ code })).recovery_codes)}
    />
  )
}

function Disable({ onClose }: Pick<Props, 'onClose'>) {
  const disable = useCall(addresses.twoFactorDisable)
  return (
    <CodeDialog
      danger
      title={m.two_factor_turn_off()}
      text={m.two_factor_turn_off_text()}
      verb={m.two_factor_turn_off()}
      onClose={onClose}
      submit={async (code) => {
        await disable.mutateAsync({ code })
        toast(m.two_factor_off_done())
      }}
    />
  )
}

/** Asks for a code before recovery codes are renewed or two-factor sign-in is turned off. */
export function TwoFactorDialog({ asked, ...props }: Props & { asked: 'renew' | 'disable' }) {
  return asked === 'renew' ? <Renew {...props} /> : <Disable {...props} />
}
