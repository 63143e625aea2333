import { Link } from '@tanstack/react-router'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { deskHref } from '../routes.ts'
import classes from './request.module.css'
import { inputOf, type Request, verbInWords } from './words.ts'

/** The input of a request, as it was given. */
export function RequestInput({ request }: { request: Request }) {
  const entries = inputOf(request)
  if (entries.length === 0) return '–'
  return (
    <dl className={classes.input}>
      {entries.map(({ key, name, value }) => (
        <div key={key}>
          {name === undefined ? (
            <dt lang="en">
              <code>{key}</code>
            </dt>
          ) : (
            <dt>{name}</dt>
          )}
          <dd lang="en">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What moves no VAT: the amount in its input says all. */
const withoutVat: ReadonlySet<string> = new Set(['adjust', 'goodwill'])

/** The requested action and its subject; a client links to their page. */
export function RequestAbout({ request }: { request: Request }) {
  const { about, client_id: id, amount, currency, verb } = request
  return (
    <div className={classes.about}>
      <strong>{verbInWords(request)}</strong>
      {id === null ? <span>{about}</span> : <Link to={deskHref('client', { id })}>{about}</Link>}
      {amount !== null && currency !== null && !withoutVat.has(verb) && (
        <span>{m.desk_request_moves({ amount: money(amount, currency) })}</span>
      )}
    </div>
  )
}
