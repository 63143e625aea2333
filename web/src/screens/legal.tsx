import { useMatches } from '@tanstack/react-router'
import { GuestCard } from '../components/guest/card.tsx'
import classes from '../components/guest/guest.module.css'
import { href, routes } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

/** A placeholder for the operator's own document, worded so that nobody takes it for the real one. */
export default function LegalScreen() {
  const name = useMatches({ select: (matches) => matches.at(-1)?.staticData.name ?? 'terms' })
  return (
    <GuestCard title={routes[name].title()} lead={m.legal_missing()}>
      <a href={href('login')} className={classes.link}>
        {m.to_login()}
      </a>
    </GuestCard>
  )
}
