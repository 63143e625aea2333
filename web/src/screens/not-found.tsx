import { Message } from '../components/message.tsx'
import { href } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

/** No page of the portal has this address. */
export function NotFoundScreen() {
  return (
    <Message lone title={m.not_found_title()} text={m.not_found_text()}>
      <a href={href('dashboard')}>{m.to_dashboard()}</a>
    </Message>
  )
}
