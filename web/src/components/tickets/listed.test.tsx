import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LastMessage } from './listed.tsx'

const said = (last_message_by: 'client' | 'staff', last_message_author: string | null) =>
  renderToStaticMarkup(
    <LastMessage
      ticket={{ last_message_at: '2026-11-21T10:00:00Z', last_message_by, last_message_author }}
      unnamed="from Maria Ionescu"
    />,
  )

test('a message without a name is said to be from whom the list names, who is the reader in the portal alone', () => {
  expect(said('client', null)).toContain('from Maria Ionescu')
  expect(said('client', 'Ion Ionescu')).toContain('from Ion Ionescu')
  expect(said('staff', 'Sorin')).toContain('from support')
})
