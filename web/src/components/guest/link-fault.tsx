import { Button } from '@mantine/core'
import type { RefusalCode } from '@portico/contract/refusals/index.ts'
import type { ReactNode } from 'react'
import type { Failure } from '../../api/failure.ts'
import { inWords } from '../../api/refusal-words.ts'
import { m } from '../../texts/compiled/messages.js'
import { GuestCard } from './card.tsx'

type Words = { title: () => string; text: () => string }

const invalid: Words = { title: m.link_invalid_title, text: m.link_invalid_text }
const words: Partial<Record<RefusalCode, Words>> = {
  link_expired: { title: m.link_expired_title, text: m.link_expired_text },
  link_used: { title: m.link_used_title, text: m.link_used_text },
  link_invalid: invalid,
  email_taken: { title: m.link_taken_title, text: m.link_taken_text },
}

type Props = {
  failure: Failure
  again: () => void
  used?: Words
  /** Other words for some faults, where the link is not one from a mail. */
  words?: Readonly<Partial<Record<RefusalCode, Words>>>
  children: ReactNode
}

/**
 * The fault of a link from a mail, and the next step. `used`: a link that was used before may mean that
 * everything is done. When the server did not answer, the next step is to retry.
 */
export function LinkFault({ failure, again, used, words: own = {}, children }: Props) {
  if (failure.status === 0 || failure.status === 429 || failure.status >= 500)
    return (
      <GuestCard title={m.link_unread_title()} lead={inWords(failure)}>
        <Button fullWidth onClick={again}>
          {m.try_again()}
        </Button>
      </GuestCard>
    )
  const code = failure.code ?? 'link_invalid'
  const { title, text } =
    (code === 'link_used' ? used : undefined) ?? own[code] ?? words[code] ?? own.link_invalid ?? invalid
  return (
    <GuestCard title={title()} lead={text()}>
      {children}
    </GuestCard>
  )
}
