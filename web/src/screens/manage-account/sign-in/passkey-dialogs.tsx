import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { renamePasskey } from '@portico/contract/calls/account/security.ts'
import { useState } from 'react'
import * as z from 'zod/mini'
import { inWords } from '../../../api/refusal-words.ts'
import { useCall } from '../../../api/write.ts'
import { ConfirmDialog } from '../../../components/dialogs/confirm.tsx'
import { NameDialog } from '../../../components/dialogs/name-dialog.tsx'
import { makePasskey } from '../../../components/webauthn.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import { focusSection } from '../../../ui/section.tsx'
import type { Passkey } from '../security-data.ts'

export type Asked =
  | { kind: 'add' }
  | { kind: 'rename'; passkey: Passkey }
  | { kind: 'remove'; passkey: Passkey }

const { name: nameRule } = renamePasskey.input.shape
const check = (name: string) => z.safeParse(nameRule, name)

function AddDialog({ onClose }: { onClose: () => void }) {
  const add = useCall(addresses.addPasskey)
  const [state, setState] = useState<{ busy: boolean; refused?: string }>({ busy: false })
  const submit = async (name: string) => {
    setState({ busy: true })
    try {
      await add.mutateAsync({ name, response: await makePasskey() })
      toast(m.passkey_added({ name }))
      onClose()
    } catch (error) {
      setState({ busy: false, refused: inWords(error) })
    }
  }
  return (
    <NameDialog
      title={m.passkey_add()}
      label={m.passkey_name()}
      placeholder={m.passkey_name_example()}
      verb={m.passkey_continue()}
      check={check}
      busy={state.busy}
      refused={state.refused}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}

function RenameDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useCall(addresses.renamePasskey)
  const submit = async (name: string) => {
    // The id is a path parameter, so it is text.
    await rename.mutateAsync({ id: String(id), name })
    toast(m.passkey_renamed({ name }))
    onClose()
  }
  return (
    <NameDialog
      title={m.passkey_rename()}
      label={m.passkey_name()}
      verb={m.save()}
      initial={name}
      check={check}
      busy={rename.isPending}
      refused={rename.error ? inWords(rename.error) : undefined}
      onSubmit={(chosen) => void submit(chosen).catch(() => undefined)}
      onClose={onClose}
    />
  )
}

function RemoveDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = useCall(addresses.removePasskey)
  const confirm = () =>
    remove.mutate(
      { id: String(id) },
      {
        onSuccess: () => {
          toast(m.passkey_removed({ name }))
          focusSection('passkeys')
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      danger
      title={m.passkey_remove_title({ name })}
      text={m.passkey_remove_text()}
      verb={m.remove()}
      action={remove}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

/** Adds, renames or removes a passkey. */
export function PasskeyDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  switch (asked.kind) {
    case 'add':
      return <AddDialog onClose={onClose} />
    case 'rename':
      return <RenameDialog passkey={asked.passkey} onClose={onClose} />
    case 'remove':
      return <RemoveDialog passkey={asked.passkey} onClose={onClose} />
  }
}
