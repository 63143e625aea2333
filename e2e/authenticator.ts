import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'

/** The code of an authenticator app, now or this many 30-second steps later. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps })

/**
 * The code of the step before, which leaves that of this one unused. Near the end of a step it waits for the
 * next: once the step ends, the code is two steps old and refused.
 */
export async function codeBefore(secret: string): Promise<string> {
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 10_000) await wait(left)
  return codeOf(secret, -1)
}

/** Adds an authenticator without passkeys to the browser; it confirms by itself, like one built into a laptop. */
export async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  const verifies = async (isUserVerified: boolean) => {
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  }
  return {
    refuse: () => verifies(false),
    confirm: () => verifies(true),
    forget: () => session.send('WebAuthn.clearCredentials', { authenticatorId }).then(() => undefined),
  }
}
