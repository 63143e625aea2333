import { GuestCard, Refusal } from '../../components/guest/card.tsx'
import classes from '../../components/guest/guest.module.css'
import { toward, useNext, useParameter, usePreviousMessage } from '../../components/guest/search.ts'
import { useSignIn } from '../../components/sign-in/sign-in.ts'
import { Or, PasskeyButton } from '../../components/sign-in/sign-in-buttons.tsx'
import { SignInForm } from '../../components/sign-in/sign-in-form.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'

/** Sign-in for a person whose e-mail is known from a registration, a mail or an invitation. */
export default function RegisterSigninScreen() {
  const { state, signIn, withPasskey, arrive, startAgain } = useSignIn()
  const email = useParameter('email')
  const next = useNext()
  const said = usePreviousMessage()
  if (state.kind === 'second-step')
    return <state.part challenge={state.challenge} onCode={arrive} onBack={startAgain} />
  const by = state.kind === 'busy' ? state.by : undefined
  return (
    <GuestCard title={m.register_signin_title()} lead={said}>
      <Refusal message={state.kind === 'failed' ? state.message : undefined} />
      <SignInForm busy={by === 'e-mail'} email={email} onSubmit={signIn} />
      <Or />
      <PasskeyButton busy={by === 'passkey'} disabled={by === 'e-mail'} onUse={() => void withPasskey()} />
      <p className={classes.foot}>
        {m.account_none()} <a href={toward(href('register'), next)}>{m.register_title()}</a>
      </p>
    </GuestCard>
  )
}
