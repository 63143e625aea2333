import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { inWords } from '../../api/refusal-words.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'

type Props = {
  title: string
  text: string
  /** The label of the button, a verb. */
  verb: string
  cancel?: string
  /** The action cannot be undone. */
  danger?: boolean
  /** The mutation that runs on confirmation: while it runs the dialog stays, and its refusal is shown. */
  action?: { isPending: boolean; error: Error | null }
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** A confirmation dialog with the verb on its button. It stays open while the action runs. */
export function ConfirmDialog({
  title,
  text,
  verb,
  cancel = m.cancel(),
  danger = false,
  action,
  onConfirm,
  onClose,
  children,
}: Props) {
  useFocusBack()
  const busy = action?.isPending ?? false
  const refusal = action?.error ? inWords(action.error) : undefined
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!busy}
      closeOnClickOutside={!busy}
      title={title}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <p>{text}</p>
      {children}
      <div role="alert" style={{ color: 'var(--bad)', marginTop: refusal ? 12 : 0 }}>
        {refusal}
      </div>
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" disabled={busy} onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button {...(danger && { color: 'red.8' })} loading={busy} onClick={onConfirm}>
          {verb}
        </Button>
      </Group>
    </Modal>
  )
}
