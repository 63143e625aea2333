import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { useCall } from '../../../api/write.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { focusSection } from '../../../ui/section.tsx'

/** Ends every session but this one. */
export function EndSessions({ count, onClose }: { count: number; onClose: () => void }) {
  const end = useCall(addresses.endOtherSessions)
  const confirm = () =>
    end.mutate(
      {},
      {
        onSuccess: ({ ended }) => {
          toast(m.sessions_revoked({ count: ended }))
          focusSection('sessions')
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      danger
      title={m.sessions_revoke_title()}
      text={m.sessions_revoke_text({ count })}
      verb={m.sessions_revoke()}
      action={end}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
