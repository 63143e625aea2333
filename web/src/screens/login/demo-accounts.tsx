import type { SignInOptions } from '../../components/sign-in/sign-in-options.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './login.module.css'

/** The password of every account of a demo; it is public, like the accounts. */
const demoPassword = 'portico-demo'

type Props = {
  accounts: NonNullable<SignInOptions['demo_accounts']>
  busy: boolean
  onChoose: (credentials: { email: string; password: string }) => unknown
}

/** The accounts of a demo, each one click away. */
export function DemoAccounts({ accounts, busy, onChoose }: Props) {
  return (
    <section className={`card ${classes.demo}`} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">{m.demo_title()}</h2>
      <p>{m.demo_text({ password: demoPassword })}</p>
      <ul>
        {accounts.map(({ email, name, note }) => (
          <li key={email}>
            <button
              type="button"
              className={classes.account}
              disabled={busy}
              onClick={() => onChoose({ email, password: demoPassword })}
            >
              {name}
              <span>{`${email} · ${note[language()]}`}</span>
            </button>
          </li>
        ))}
      </ul>
      <a href={href('outbox')}>{m.outbox_title()}</a>
    </section>
  )
}
