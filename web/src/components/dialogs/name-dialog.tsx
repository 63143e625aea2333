import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { fieldFault } from '../../api/field-fault.ts'
import { closeOverlay } from '../../stores/overlay.ts'
import { dismissFailures } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'

type Check = (name: string) => z.core.util.SafeParseResult<string>

type Props = {
  title: string
  label: string
  verb: string
  initial?: string
  /** The contract's rule for the field. */
  check: Check
  busy: boolean
  /** The server's refusal, shown below the field like a fault of the rule. */
  refused?: string | undefined
  placeholder?: string
  onInvalid?: () => void
  onSubmit: (name: string) => void
  onClose?: () => void
  children?: ReactNode
}

/** Asks for a name; its first fault appears below the field, on blur and on submit. */
export function NameDialog({
  title,
  label,
  verb,
  initial = '',
  check,
  busy,
  refused,
  placeholder,
  onInvalid,
  onSubmit,
  onClose = closeOverlay,
  children,
}: Props) {
  useFocusBack()
  const [name, setName] = useState(initial)
  const [touched, setTouched] = useState(false)
  const result = check(name)
  const fault = result.success ? refused : fieldFault(result.error.issues[0]?.message ?? '')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTouched(true)
    if (result.success) return onSubmit(result.data)
    event.currentTarget.querySelector('input')?.focus()
    onInvalid?.()
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': m.close() }}>
      <form noValidate onSubmit={submit}>
        <TextInput
          data-autofocus
          label={label}
          name="name"
          autoComplete="off"
          value={name}
          placeholder={placeholder}
          error={touched || refused ? fault : undefined}
          onChange={(event) => {
            setName(event.currentTarget.value)
            dismissFailures()
          }}
          onBlur={() => name !== initial && setTouched(true)}
        />
        {children}
        <Group justify="flex-end" mt={24} gap={8}>
          <Button variant="default" onClick={onClose}>
            {m.cancel()}
          </Button>
          <SubmitButton loading={busy}>{verb}</SubmitButton>
        </Group>
      </form>
    </Modal>
  )
}
