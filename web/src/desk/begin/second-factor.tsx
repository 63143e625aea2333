import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { secondFactorCode } from '@portico/contract/calls/credentials.ts'
import { Suspense } from 'react'
import * as z from 'zod/mini'
import { call } from '../../api/call.ts'
import { CodeField } from '../../components/code-field.tsx'
import { useSavingForm } from '../../components/forms/saving-form.ts'
import { GuestCard, Refusal } from '../../components/guest/card.tsx'
import guest from '../../components/guest/guest.module.css'
import { useOnce } from '../../components/guest/once.ts'
import { CodeList } from '../../components/recovery-codes/code-list.tsx'
import { canUsePasskeys } from '../../components/sign-in/can-use-passkeys.ts'
import { m } from '../../texts/compiled/messages.js'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { leave } from '../guard.ts'
import { setUpPage } from '../routes.ts'
import classes from './begin.module.css'
import { FirstPasskey } from './first-passkey.tsx'
import { stage } from './stage.ts'

const Qr = lazily(async () => (await import('../../ui/qr.tsx')).Qr)
const schema = z.object({ code: secondFactorCode })

type Setup = { secret: string; otpauth_url: string }

function Scan({ setup: { secret, otpauth_url } }: { setup: Setup }) {
  return (
    <div className={classes.qr}>
      <Suspense fallback={<span className="bone" style={{ width: 200, height: 200 }} />}>
        <Qr text={otpauth_url} label={m.two_factor_qr()} />
      </Suspense>
      <div>
        <p className="quiet">{m.two_factor_secret()}</p>
        <code className={classes.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton value={secret} label={m.copy()} done={m.copied()} />
      </div>
    </div>
  )
}

function FirstCode({ setup }: { setup: Setup }) {
  const { formProps, field, isSaving, refusal } = useSavingForm({
    initial: { code: '' },
    schema,
    save: async (values) => {
      const { recovery_codes } = await call(addresses.twoFactorEnable, values)
      stage.set({ kind: 'codes', codes: recovery_codes })
    },
  })
  return (
    <form className={guest.stack} {...formProps}>
      <p>{m.two_factor_scan()}</p>
      <Scan setup={setup} />
      <CodeField digits label={m.code_label()} description={m.two_factor_enter()} {...field('code')} />
      <Refusal message={refusal} />
      <Button type="submit" fullWidth loading={isSaving}>
        {m.two_factor_turn_on()}
      </Button>
    </form>
  )
}

/** A passkey takes the place of the app; the browser has them only where the address is secure. */
const InsteadOfApp = () =>
  canUsePasskeys() && (
    <FirstPasskey variant="default" label={m.desk_join_passkey()} onMade={() => leave(setUpPage)} />
  )

/** The second factor, without which an administrator has no rights: an authenticator app or a passkey. */
export function SecondFactor() {
  const started = useOnce('first second factor', () => call(addresses.twoFactorSetup, {}))
  return (
    <GuestCard title={m.desk_begin_factor_title()} lead={m.desk_begin_factor_lead()}>
      {started.kind === 'done' && <FirstCode setup={started.value} />}
      {started.kind === 'failed' && (
        <>
          <Refusal message={started.failure.message} />
          <Button onClick={started.again}>{m.try_again()}</Button>
        </>
      )}
      {started.kind !== 'busy' && <InsteadOfApp />}
    </GuestCard>
  )
}

/** The recovery codes, which are shown only now. */
export function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <GuestCard title={m.recovery_codes_title()} lead={m.recovery_codes_text()}>
      <CodeList codes={codes} />
      <Button fullWidth onClick={() => void leave(setUpPage)}>
        {m.recovery_codes_kept()}
      </Button>
    </GuestCard>
  )
}
