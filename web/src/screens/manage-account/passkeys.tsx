import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { renamePasskey } from '@portico/contract/calls/security.ts'
import { useState } from 'react'
import * as z from 'zod/mini'
import { asFailure } from '../../api/failure.ts'
import { useCall } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import { NameDialog } from '../../components/dialogs/name-dialog.tsx'
import { inWords } from '../../components/forms/refusal.ts'
import { canUsePasskeys, makePasskey } from '../../components/webauthn.ts'
import { When } from '../../components/when.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconKey } from '../../ui/icons.tsx'
import { focusSection, SectionBody, SectionFoot, SectionList, SectionRow } from '../../ui/section.tsx'
import type { Passkey } from './security-data.ts'

type State =
  | { kind: 'closed' }
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
      setState({ busy: false, refused: inWords(asFailure(error)) })
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
    // The id stands in the address, as text.
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
      busy={remove.isPending}
      refusal={remove.error ? inWords(remove.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}

function PasskeyRow({ passkey, onChoose }: { passkey: Passkey; onChoose: (state: State) => void }) {
  const { name, synced, created_at, last_used_at } = passkey
  return (
    <SectionRow
      icon={<IconKey size={18} />}
      title={name}
      text={
        <>
          {synced ? m.passkey_synced() : m.passkey_here()}
          {' · '}
          {m.added()} <When moment={created_at} />
          {' · '}
          {last_used_at ? (
            <>
              {m.last_used()} <When moment={last_used_at} />
            </>
          ) : (
            m.never_used()
          )}
        </>
      }
    >
      <Button
        size="xs"
        variant="default"
        aria-label={m.rename_one({ name })}
        onClick={() => onChoose({ kind: 'rename', passkey })}
      >
        {m.rename()}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={m.remove_one({ name })}
        onClick={() => onChoose({ kind: 'remove', passkey })}
      >
        {m.remove()}
      </Button>
    </SectionRow>
  )
}

/** Passkeys: how one signs in without a password, where the browser knows how. */
export function PasskeysBody({ passkeys }: { passkeys: readonly Passkey[] }) {
  const [state, setState] = useState<State>({ kind: 'closed' })
  const close = () => setState({ kind: 'closed' })
  const isAble = canUsePasskeys()
  return (
    <>
      {passkeys.length > 0 ? (
        <SectionList label={m.account_passkeys()}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onChoose={setState} />
          ))}
        </SectionList>
      ) : (
        <SectionBody>
          <p>{m.passkeys_none()}</p>
        </SectionBody>
      )}
      <SectionFoot note={isAble ? undefined : <span id="no-passkeys">{m.passkeys_unable()}</span>}>
        <Button
          variant="default"
          disabled={!isAble}
          aria-describedby={isAble ? undefined : 'no-passkeys'}
          onClick={() => setState({ kind: 'add' })}
        >
          {m.passkey_add()}
        </Button>
      </SectionFoot>
      {state.kind === 'add' && <AddDialog onClose={close} />}
      {state.kind === 'rename' && <RenameDialog passkey={state.passkey} onClose={close} />}
      {state.kind === 'remove' && <RemoveDialog passkey={state.passkey} onClose={close} />}
    </>
  )
}
