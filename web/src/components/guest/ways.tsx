import { Button } from '@mantine/core'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { useHydrated } from '@tanstack/react-router'
import { href } from '../../routes.ts'
import { next } from '../../stores/session.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './guest.module.css'
import { toward, useNext, useParameter } from './search.ts'

/** Between one way and the other. */
export const Or = () => <p className={classes.or}>{m.or()}</p>

/** Leaves for Google; where the person was on the way to waits here. */
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

/** Offers passkeys where the browser knows them; nearly all do, so the page that was rendered at build shows it. */
export function PasskeyButton({ busy, disabled, onUse }: PasskeyProps) {
  if (useHydrated() && typeof PublicKeyCredential === 'undefined') return null
  return (
    <Button variant="default" fullWidth loading={busy} disabled={disabled} onClick={onUse}>
      {m.passkey_sign_in()}
    </Button>
  )
}

/** The ways to a new account; on the way, nothing is lost of where the person was going. */
export function CreateWays({ google }: { google: boolean }) {
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
