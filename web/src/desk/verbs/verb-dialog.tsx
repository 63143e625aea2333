import { Button, Group } from '@mantine/core'
import type { RefusalCode } from '@portico/contract/refusals/index.ts'
import { type FormEvent, type ReactNode, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { m } from '../../texts/compiled/messages.js'
import { useFocusBack } from '../../ui/modal/focus-back.ts'
import { Modal } from '../../ui/modal/modal.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import classes from './verb-dialog.module.css'

/** The length of a reason, in characters, and of one that a document prints. */
const [least, most, mostPrinted] = [3, 300, 200]

/** The header with the reason for a write of staff. */
export const because = (reason: string) => ({ 'portico-reason': encodeURIComponent(reason) })

/** The refusals of what one person may not do alone. */
const aboveLimit: ReadonlySet<unknown> = new Set<RefusalCode>([
  'staff_limit_action',
  'staff_limit_day',
  'second_person_required',
])

const fields = ':is(input:not([type=radio]:not(:checked), [type=file]), select, textarea):enabled'

/** The first field of a dialog has its focus; without a mark it would be on the cross that closes it. */
function focusFirst(form: HTMLFormElement | null): void {
  if (form?.querySelector('[data-autofocus]')) return
  form?.querySelector(fields)?.setAttribute('data-autofocus', '')
}

type Props = {
  title: string
  text: string
  /** The label of the button, a verb. */
  verb: string
  danger?: boolean
  /** Something else than the reason is missing. */
  disabled?: boolean
  /** The client reads the reason too. */
  isRead?: boolean
  /** The reason is printed on a document, which has less room. */
  isPrinted?: boolean
  /** What an entry is the first of its kind, so that nobody has to explain it; the person may write another reason. */
  isFirst?: boolean
  action: { isPending: boolean; error: Error | null }
  onConfirm: (reason: string) => void
  /** Asks a second person, where the limit of one refuses. */
  second?: { isPending: boolean; error: Error | null; ask: (reason: string) => void }
  onClose: () => void
  children?: ReactNode
}

/** Asks staff for the reason of an action, and confirms it. It stays open while the action runs. */
export function VerbDialog({
  title,
  text,
  verb,
  danger = false,
  disabled = false,
  isRead = false,
  isPrinted = false,
  isFirst = false,
  action: { isPending, error },
  onConfirm,
  second,
  onClose,
  children,
}: Props) {
  useFocusBack()
  const [reason, setReason] = useState(isFirst ? m.desk_verb_reason_first() : '')
  const given = reason.trim()
  const isReady = given.length >= least && !disabled
  const isAbove = second !== undefined && aboveLimit.has(error && asFailure(error).code)
  const refusal = second?.error ?? error
  const told = isRead ? m.desk_verb_reason_read : m.desk_verb_reason_hint
  const hint = isPrinted ? m.desk_verb_reason_printed : told
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onConfirm(given)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!isPending}
      closeOnClickOutside={!isPending}
      title={title}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form ref={focusFirst} className={classes.form} onSubmit={submit}>
        <p>{text}</p>
        {children}
        <TextArea
          label={m.desk_verb_reason()}
          description={hint()}
          required
          rows={3}
          maxLength={isPrinted ? mostPrinted : most}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div role="alert" className={classes.refusal}>
          {refusal && inWords(refusal)}
          {isAbove && <p>{m.desk_second_hint()}</p>}
        </div>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {m.cancel()}
          </Button>
          <Button
            type="submit"
            {...(isAbove && { variant: 'default' })}
            {...(danger && { color: 'red.8' })}
            loading={isPending}
            disabled={!isReady}
          >
            {verb}
          </Button>
          {isAbove && (
            <Button loading={second.isPending} onClick={() => second.ask(given)}>
              {m.desk_second_ask()}
            </Button>
          )}
        </Group>
      </form>
    </Modal>
  )
}
