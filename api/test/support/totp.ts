import { generateSync } from 'otplib'
import type { Clock } from '#platform/clock.ts'
import type { Browser } from './people.ts'

/** The code of an authenticator app for a secret, now or this many 30-second steps later. */
export function totp(secret: string, clock: Clock, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + 30 * steps })
}

/** Turns two-factor sign-in on for the signed-in person, which uses the code of this half minute. */
export async function enrol(
  browser: Browser,
  clock: Clock,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await browser.send('POST', '/api/user/two-factor/setup', {})).json()
  const payload = { code: totp(secret, clock) }
  const { recovery_codes } = (await browser.send('POST', '/api/user/two-factor/enable', payload)).json()
  return { secret, recoveryCodes: recovery_codes }
}
