import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { href } from '../../routes.ts'
import { next } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import { useRunning } from '../../ui/loading/running.ts'
import classes from '../guest/guest.module.css'
import { toward, useNext, useParameter } from '../guest/search.ts'

/** The separator between sign-in methods. */
export const Or = () => <p className={classes.or}>{m.or()}</p>

/** Leaves for Google; the target page is kept in this browser meanwhile. */
export function GoogleButton({ label }: { label: string }) {
  const target = useNext() ?? '/'
  return (
    <Button
      component="a"
      href={addresses.google.path}
      variant="default"
      fullWidth
      onClick={() => next.keep(target)}
    >
      {label}
    </Button>
  )
}

type PasskeyProps = { busy: boolean; disabled: boolean; onUse: () => unknown }

/**
 * Sign-in with a passkey, where the browser supports them. Nearly all do, so the prerendered page shows it.
 */
export function PasskeyButton({ busy, disabled, onUse }: PasskeyProps) {
  const hydrated = useRunning()
  if (hydrated && typeof PublicKeyCredential === 'undefined') return null
  return (
    <Button
      variant="default"
      fullWidth
      loading={busy}
      disabled={disabled}
      aria-disabled={!hydrated}
      onClick={onUse}
    >
      {m.passkey_sign_in()}
    </Button>
  )
}

/** The methods to create an account; the target page is passed on. */
export function CreateAccountButtons({ google }: { google: boolean }) {
  const target = useNext()
  const email = useParameter('email')
  return (
    <>
      <Button component="a" href={toward(href('create-account'), target, email)} fullWidth>
        {m.register_with_email()}
      </Button>
      {google && <GoogleButton label={m.register_with_google()} />}
    </>
  )
}
