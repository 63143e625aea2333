import { GuestCard } from '../../components/guest/card.tsx'
import classes from '../../components/guest/guest.module.css'
import { RegisterForm } from '../../components/guest/register-form.tsx'
import { toward, useNext } from '../../components/guest/search.ts'
import { GoogleButton, Or } from '../../components/sign-in/sign-in-buttons.tsx'
import { useSignInOptions } from '../../components/sign-in/sign-in-options.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

/** Creates an account with an e-mail address, which is confirmed next. */
export default function CreateAccountScreen() {
  const { google, mail } = useSignInOptions()
  const next = useNext()
  return (
    <GuestCard title={m.create_account_title()} lead={m.register_lead()}>
      {!mail && <p>{m.mail_off_register()}</p>}
      <RegisterForm />
      {google && (
        <>
          <Or />
          <GoogleButton label={m.register_with_google()} />
        </>
      )}
      <p className={classes.foot}>
        {m.account_have()} <a href={toward(href('login'), next)}>{m.login_title()}</a>
      </p>
    </GuestCard>
  )
}
