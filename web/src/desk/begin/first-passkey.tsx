import { Button } from '@mantine/core'
import * as accountAddresses from '@portico/contract/calls/account/addresses.ts'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { inWords } from '../../api/refusal-words.ts'
import { Refusal } from '../../components/guest/card.tsx'
import { makePasskey } from '../../components/webauthn.ts'
import { m } from '../../texts/compiled/messages.js'

type Props = { label: string; variant?: 'filled' | 'default'; onMade: () => Promise<void> }

/** Makes the first passkey of a person who begins to work here, which is their second factor. */
export function FirstPasskey({ label, variant = 'filled', onMade }: Props) {
  const [state, setState] = useState<{ busy: boolean; refused?: string }>({ busy: false })
  const make = async () => {
    setState({ busy: true })
    try {
      await call(accountAddresses.addPasskey, {
        name: m.desk_join_passkey_name(),
        response: await makePasskey(),
      })
      await onMade()
    } catch (error) {
      setState({ busy: false, refused: inWords(error) })
    }
  }
  return (
    <>
      <Refusal message={state.refused} />
      <Button fullWidth variant={variant} loading={state.busy} onClick={() => void make()}>
        {label}
      </Button>
    </>
  )
}
