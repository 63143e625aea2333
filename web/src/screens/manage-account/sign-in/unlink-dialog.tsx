import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { useCall } from '../../../api/write.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm.tsx'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { focusSection } from '../../../ui/section.tsx'
import type { Identity } from '../security-data.ts'

/** Unlinks an external account. */
export function UnlinkDialog({
  identity: { id, email },
  onClose,
}: {
  identity: Identity
  onClose: () => void
}) {
  const unlink = useCall(addresses.unlinkIdentity)
  const confirm = () =>
    unlink.mutate(
      // The id is a path parameter, so it is text.
      { id: String(id) },
      {
        onSuccess: () => {
          toast(m.google_unlinked({ email }))
          focusSection('sign-ins')
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      danger
      title={m.google_unlink_title({ email })}
      text={m.google_unlink_text()}
      verb={m.google_unlink()}
      action={unlink}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
