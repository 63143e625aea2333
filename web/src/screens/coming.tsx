import { Link, useMatches } from '@tanstack/react-router'
import { Message } from '../components/message.tsx'
import { href, routes } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

/** Stands where a page will be: its name, what to expect, and the way back. */
export default function ComingScreen() {
  const { name, access } = useMatches({
    select: (matches) => {
      const at = matches.at(-1)?.staticData.name ?? 'dashboard'
      return { name: at, access: routes[at].access }
    },
  })
  return (
    <Message title={routes[name].title()} text={m.coming_text()}>
      {access === 'client' ? (
        <Link to={href('dashboard')}>{m.to_dashboard()}</Link>
      ) : (
        <Link to={href('login')}>{m.to_login()}</Link>
      )}
    </Message>
  )
}
