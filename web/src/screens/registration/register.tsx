import { GuestCard } from '../../components/guest/card.tsx'
import classes from '../../components/guest/guest.module.css'
import { toward, useNext } from '../../components/guest/search.ts'
import { CreateAccountButtons } from '../../components/sign-in/sign-in-buttons.tsx'
import { useSignInOptions } from '../../components/sign-in/sign-in-options.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

/** Creates an account by e-mail or with Google. A pending invitation in this browser stays pending. */
export default function RegisterScreen() {
  const { google } = useSignInOptions()
  const next = useNext()
  return (
    <GuestCard title={m.register_title()} lead={m.register_lead()}>
      <CreateAccountButtons google={google} />
      <p className={classes.foot}>
        {m.account_have()} <a href={toward(href('login'), next)}>{m.login_title()}</a>
      </p>
    </GuestCard>
  )
}
