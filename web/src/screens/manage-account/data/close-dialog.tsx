import { Button, TextInput } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/call.ts'
import type { Failure } from '../../../api/failure.ts'
import { useUser } from '../../../api/queries/user.ts'
import { inWords } from '../../../api/refusal-words.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { href } from '../../../routes.ts'
import { dropFormDrafts } from '../../../stores/form-drafts.ts'
import { dropSavedDrafts } from '../../../stores/saved-drafts.ts'
import { forgetToken } from '../../../stores/session.ts'
import { m } from '../../../texts/compiled/messages.js'
import { useFocusBack } from '../../../ui/modal/focus-back.ts'
import { Modal } from '../../../ui/modal/modal.tsx'
import classes from './close-account.module.css'

/** The confirmation: the person types their own address, so that nobody closes an account by mistake. */
export function CloseDialog({ days, onClose }: { days: number; onClose: () => void }) {
  useFocusBack()
  const { email } = useUser()
  const [typed, setTyped] = useState('')
  // No query is refetched afterwards, unlike after other writes: the session is over.
  const close = useMutation<unknown, Failure, string>({
    mutationFn: (address) => call(addresses.closeAccount, { email: address }),
    onSuccess: () => {
      forgetToken()
      dropFormDrafts()
      dropSavedDrafts()
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
