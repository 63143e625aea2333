import { Button, TextInput } from '@mantine/core'
import { email as emailRule } from '@portico/contract/calls/credentials.ts'
import { mostNotified } from '@portico/contract/resources/tickets.ts'
import * as z from 'zod/mini'
import { asFailure } from '../../api/failure.ts'
import { useAction, useDelete } from '../../api/write.ts'
import { Refusal } from '../../components/forms/form-foot.tsx'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { SubmitButton } from '../../components/forms/submit-button.tsx'
import { saidBy } from '../../components/tickets/refusal.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import type { Ticket } from './ticket.ts'
import classes from './view-ticket.module.css'

const schema = z.object({ email: emailRule })

function AddEmail({ id }: { id: number }) {
  const addEmail = useAction('tickets', 'addEmail')
  const { field, formProps, isSaving, refusal, form } = useSavingForm({
    initial: { email: '' },
    schema,
    save: async ({ email }) => {
      await addEmail.mutateAsync({ id, payload: { email } })
      form.reset()
      toast(m.notified_added({ email }))
    },
  })
  return (
    <form className={classes.addEmail} {...formProps}>
      <TextInput
        size="xs"
        type="email"
        inputMode="email"
        aria-label={m.notified_new()}
        placeholder={m.notified_new()}
        {...field('email')}
      />
      <SubmitButton size="xs" variant="default" loading={isSaving}>
        {m.notified_add()}
      </SubmitButton>
      <Refusal>{refusal}</Refusal>
    </form>
  )
}

/** Who beside the people of the account is told of answers. */
export function Notified({ ticket }: { ticket: Ticket }) {
  const remove = useDelete('ticket-ticket-emails')
  const told = ticket.ticketTicketEmails
  const drop = ({ id, email }: (typeof told)[number]) =>
    remove.mutate(
      { id },
      {
        onSuccess: () => toast(m.notified_removed({ email })),
        onError: (error) => toast(m.ticket_not_done(), saidBy(asFailure(error)), 'bad'),
      },
    )
  return (
    <section className="card" aria-labelledby="notified">
      <h2 id="notified" className={classes.asideTitle}>
        {m.notified_title()}
      </h2>
      <p className={classes.asideText}>{m.notified_text()}</p>
      {told.length > 0 && (
        <ul className={classes.told}>
          {told.map((one) => (
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
      {ticket.may.addEmail && told.length < mostNotified && <AddEmail id={ticket.id} />}
    </section>
  )
}
