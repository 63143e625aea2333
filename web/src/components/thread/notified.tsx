import { Button, TextInput } from '@mantine/core'
import { mostNotified } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { type FormEvent, useRef, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { fieldFault } from '../../api/field-fault.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction, useDelete } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/loading/chunk.ts'
import { afterPress } from '../../ui/loading/press.ts'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import classes from './thread.module.css'
import type { Ticket } from './ticket.ts'

/** The address to send, or why it is invalid. */
async function checkedEmail(email: string): Promise<{ email: string } | { fault: string }> {
  const rules = await chunk(() => import('./rules.ts'))
  const { data, error } = rules.email.safeParse(email)
  return data === undefined ? { fault: fieldFault(error?.issues[0]?.message ?? '') } : { email: data }
}

// A plain field, because the form library weighs more than the rest of this page.
function useAddEmail(id: number) {
  const addEmail = useAction('tickets', 'addEmail')
  const field = useRef<HTMLInputElement>(null)
  const [email, setEmail] = useState('')
  const [state, setState] = useState<{ fault?: string | undefined; refusal?: string | undefined }>({})
  const refuse = (refused: typeof state) => {
    setState(refused)
    field.current?.focus()
  }
  const check = async () => {
    const checked = await checkedEmail(email)
    setState('fault' in checked ? checked : {})
  }
  const send = async () => {
    try {
      const checked = await checkedEmail(email)
      if ('fault' in checked) return refuse(checked)
      await addEmail.mutateAsync({ id, payload: checked })
      setEmail('')
      setState({})
      toast(m.notified_added(checked))
    } catch (error) {
      const failure = asFailure(error)
      const fault = failure.about('email')
      refuse(fault === undefined ? { refusal: inWords(failure) } : { fault: fault })
    }
  }
  const type = (text: string) => {
    setEmail(text)
    setState({})
  }
  return { ...state, field, email, type, check, send, isSaving: addEmail.isPending }
}

function AddEmail({ id }: { id: number }) {
  const { field, email, type, check, send, fault, refusal, isSaving } = useAddEmail(id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  return (
    <form className={classes.addEmail} noValidate onSubmit={submit}>
      <TextInput
        ref={field}
        size="xs"
        type="email"
        inputMode="email"
        aria-label={m.notified_new()}
        placeholder={m.notified_new()}
        value={email}
        error={fault}
        onChange={({ currentTarget: { value } }) => type(value)}
        // An error takes up space, which would move the button that the person is about to press.
        onBlur={() => afterPress(() => void check().catch(() => undefined))}
      />
      <SubmitButton size="xs" variant="default" loading={isSaving}>
        {m.notified_add()}
      </SubmitButton>
      <Refusal>{refusal}</Refusal>
    </form>
  )
}

/** Further addresses that are notified of answers. */
export function Notified({ ticket }: { ticket: Ticket }) {
  const remove = useDelete('ticket-ticket-emails')
  const notified = ticket.ticketTicketEmails
  const drop = ({ id, email }: (typeof notified)[number]) =>
    remove.mutate(
      { id },
      {
        onSuccess: () => toast(m.notified_removed({ email })),
        onError: (error) => toast(m.ticket_not_done(), inWords(error), 'bad'),
      },
    )
  return (
    <section className="card" aria-labelledby="notified">
      <h2 id="notified" className={classes.asideTitle}>
        {m.notified_title()}
      </h2>
      <p className={classes.asideText}>{m.notified_text()}</p>
      {notified.length > 0 && (
        <ul className={classes.notified}>
          {notified.map((one) => (
            <li key={one.id}>
              <span className={classes.address}>{one.email}</span>
              {one.may.delete && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  disabled={remove.isPending}
                  aria-label={m.notified_remove({ email: one.email })}
                  onClick={() => drop(one)}
                >
                  {m.remove()}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {ticket.may.addEmail && notified.length < mostNotified && <AddEmail id={ticket.id} />}
    </section>
  )
}
