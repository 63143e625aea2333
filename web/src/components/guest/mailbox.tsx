import { m } from '../../texts/compiled/messages.js'
import classes from './guest.module.css'

/** The inboxes of providers that many people read in the browser, by the domain of their addresses. */
const inboxes = [
  { name: 'Gmail', url: 'https://mail.google.com/', domains: ['gmail.com', 'googlemail.com'] },
  {
    name: 'Outlook',
    url: 'https://outlook.live.com/mail/',
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
  },
  { name: 'Yahoo Mail', url: 'https://mail.yahoo.com/', domains: ['yahoo.com', 'yahoo.ro', 'ymail.com'] },
  { name: 'iCloud Mail', url: 'https://www.icloud.com/mail/', domains: ['icloud.com', 'me.com'] },
  { name: 'Proton Mail', url: 'https://mail.proton.me/', domains: ['proton.me', 'protonmail.com'] },
] as const

/** A link to the inbox of an address; nothing for one whose provider is not known. */
export function Mailbox({ email }: { email: string }) {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  const inbox = inboxes.find(({ domains }) => domains.some((one) => one === domain))
  if (!inbox) return null
  return (
    <a href={inbox.url} target="_blank" rel="noreferrer" className={classes.link}>
      {m.verify_open_inbox({ name: inbox.name })}
    </a>
  )
}
