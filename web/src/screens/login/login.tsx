import { Tabs } from '@mantine/core'
import { Suspense } from 'react'
import { GuestCard, Refusal } from '../../components/guest/card.tsx'
import classes from '../../components/guest/guest.module.css'
import { failedSignIn, useParameter, usePreviousMessage } from '../../components/guest/search.ts'
import { useSignIn } from '../../components/sign-in/sign-in.ts'
import { GoogleButton, Or, PasskeyButton } from '../../components/sign-in/sign-in-buttons.tsx'
import { SignInForm } from '../../components/sign-in/sign-in-form.tsx'
import { useSignInOptions } from '../../components/sign-in/sign-in-options.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { DemoAccounts } from './demo-accounts.tsx'
import own from './login.module.css'
import '@mantine/core/styles/Tabs.layer.css'

const RegisterForm = lazily(
  async () => (await import('../../components/guest/register-form.tsx')).RegisterForm,
)

/** Shows why a sign-in failed. Any other text in the address is ignored. */
function useArrivedWith(): string | undefined {
  return useParameter('error') === failedSignIn ? m.an_error_has_occured() : undefined
}

/** Sign in or create an account, with Google or by e-mail. */
export default function LoginScreen() {
  const { state, signIn, withPasskey, arrive, startAgain } = useSignIn()
  const { google, demo_accounts: accounts } = useSignInOptions()
  const arrivedWith = useArrivedWith()
  const said = usePreviousMessage()
  if (state.kind === 'second-step')
    return <state.part challenge={state.challenge} onCode={arrive} onBack={startAgain} />
  const by = state.kind === 'busy' ? state.by : undefined
  const refused = state.kind === 'ready' ? arrivedWith : undefined
  return (
    <>
      <GuestCard title={m.login_heading()} lead={m.login_lead()}>
        <Tabs defaultValue="sign-in" keepMounted={false}>
          <Tabs.List grow mb={20} aria-label={m.login_title()}>
            <Tabs.Tab value="sign-in">{m.login_title()}</Tabs.Tab>
            <Tabs.Tab value="create">{m.register_title()}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sign-in">
            <div className={classes.stack}>
              {state.kind === 'failed' ? (
                <Refusal message={state.message} />
              ) : (
                <Refusal message={refused} detail={said} />
              )}
              <SignInForm busy={by === 'e-mail'} onSubmit={signIn} />
              <Or />
              <PasskeyButton
                busy={by === 'passkey'}
                disabled={by === 'e-mail'}
                onUse={() => void withPasskey()}
              />
              {google && <GoogleButton label={m.login_google()} />}
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="create">
            <div className={classes.stack}>
              <p className="quiet">{m.register_lead()}</p>
              <Suspense fallback={<div className={own.form} />}>
                <RegisterForm />
              </Suspense>
              {google && (
                <>
                  <Or />
                  <GoogleButton label={m.register_with_google()} />
                </>
              )}
            </div>
          </Tabs.Panel>
        </Tabs>
      </GuestCard>
      {accounts && <DemoAccounts accounts={accounts} busy={by !== undefined} onChoose={signIn} />}
    </>
  )
}
