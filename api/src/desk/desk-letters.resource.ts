import { deskLetters } from '@portico/contract/resources/desk-letters.ts'
import { sql } from 'kysely'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { allStaff, notStaff, staffAlone } from '#staff/roles.ts'
import { dropLetter, isRepeatable, letterState, resendLetter, retryLetter } from './verbs/letters.ts'

export default serve(deskLetters, {
  table: 'outbox_letters',
  ofStaff: true,
  pageFirst: true,
  policy: {
    read: staffAlone(...allStaff),
    retry: staffAlone('admin'),
    drop: staffAlone('admin'),
    resend: staffAlone('support', 'billing', 'admin'),
  },
  columns: {
    state: () => letterState,
    client_id: () => sql`(select c.id from clients c
      where c.email = outbox_letters.recipient::citext and ${notStaff('c')})`,
    repeatable: () => isRepeatable,
    // A server may quote a part of the letter, such as a link with a secret.
    last_error: () => sql`left(regexp_replace(split_part(outbox_letters.last_error, chr(10), 1),
      '(https?://[^/[:space:]]+)[^[:space:]]*', '\\1', 'g'), 300)`,
  },
  filters: {
    state: (_, value) => sql`(${letterState}) = ${value}`,
    client_id: (_, value) => sql`lower(outbox_letters.recipient) = (
      select lower(c.email::text) from clients c where c.id = ${value}::bigint)`,
  },
  order: '-createdAt',
  actions: { retry: retryLetter, drop: dropLetter, resend: resendLetter },
})
