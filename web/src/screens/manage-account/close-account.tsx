import { Button, Modal, TextInput } from '@mantine/core'
import type { closing, closingObstacles } from '@portico/contract/calls/account.ts'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import { closingQuery } from '../../api/account.ts'
import { call } from '../../api/call.ts'
import type { Failure } from '../../api/failure.ts'
import { useUser } from '../../api/user.ts'
import { Refusal } from '../../components/forms/form-foot.tsx'
import { inWords } from '../../components/forms/refusal.ts'
import { href } from '../../routes.ts'
import { forgetToken } from '../../stores/session.ts'
import { dropDrafts } from '../../stores/unsaved.ts'
import { dropWritten } from '../../stores/written.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/dialog-styles.ts'
import { useFocusBack } from '../../ui/focus-back.ts'
import { money } from '../../ui/format.ts'
import { Section, SectionBody, SectionFoot } from '../../ui/section.tsx'
import classes from './close-account.module.css'
import { Loaded } from './loaded.tsx'

type Closing = z.output<(typeof closing)['output']>

const obstacles: Record<(typeof closingObstacles)[number], (found: Closing) => string> = {
  panels: ({ panels }) => m.closing_panels({ count: panels }),
  payment: () => m.closing_payment(),
  usage: () => m.closing_usage(),
  debt: ({ balance }) => m.closing_debt({ sum: money(-balance) }),
  money: ({ balance }) => m.closing_money({ sum: money(balance) }),
  bills: () => m.closing_bills(),
}

/** The last question: it is answered by typing one's own address, so that nobody answers it by mistake. */
function CloseDialog({ days, onClose }: { days: number; onClose: () => void }) {
  useFocusBack()
  const { email } = useUser()
  const [typed, setTyped] = useState('')
  // Nothing on the page is asked again afterwards, as it is after other writes: nobody is signed in then.
  const close = useMutation<unknown, Failure, string>({
    mutationFn: (address) => call(addresses.closeAccount, { email: address }),
    onSuccess: () => {
      forgetToken()
      dropDrafts()
      dropWritten()
      location.assign(href('login'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close.mutate(typed)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={!close.isPending}
      closeOnClickOutside={!close.isPending}
      title={m.closing_title()}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <form className={classes.ask} onSubmit={submit}>
        <p>{m.closing_text({ days })}</p>
        <TextInput
          data-autofocus
          type="email"
          autoComplete="off"
          label={m.closing_confirm({ email })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Refusal>{close.error ? inWords(close.error) : undefined}</Refusal>
        <div className={classes.buttons}>
          <Button variant="default" disabled={close.isPending} onClick={onClose}>
            {m.cancel()}
          </Button>
          <Button
            type="submit"
            color="red.8"
            disabled={typed.trim().toLowerCase() !== email.toLowerCase()}
            loading={close.isPending}
          >
            {m.closing_verb()}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function Body({ found }: { found: Closing }) {
  const [isAsking, setAsking] = useState(false)
  const isHeld = found.obstacles.length > 0
  return (
    <>
      <SectionBody>
        <p>{m.closing_keeps({ days: found.erased_after_days })}</p>
        {isHeld && (
          <div className={classes.held}>
            <p>{m.closing_before()}</p>
            <ul>
              {found.obstacles.map((name) => (
                <li key={name}>{obstacles[name](found)}</li>
              ))}
            </ul>
          </div>
        )}
      </SectionBody>
      <SectionFoot>
        <Button variant="default" className={classes.close} disabled={isHeld} onClick={() => setAsking(true)}>
          {m.closing_verb()}
        </Button>
      </SectionFoot>
      {isAsking && <CloseDialog days={found.erased_after_days} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Ends the account for good; what is in the way is said before one tries. */
export function CloseAccount() {
  const query = useQuery(closingQuery)
  return (
    <Section id="close" title={m.account_close()} lead={m.closing_lead()}>
      <Loaded query={query} rows={2}>
        {(found) => <Body found={found} />}
      </Loaded>
    </Section>
  )
}
