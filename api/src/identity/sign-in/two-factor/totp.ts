// Half a minute to either side, for wrong clocks and slow typing (RFC 6238, section 5.2).
const tolerance = 30

// Loaded on first use, so that it does not delay the start.
const library = () => import('otplib')

/** A new secret of 160 bits, in base32 for authenticator apps. */
export async function newSecret(): Promise<string> {
  return (await library()).generateSecret()
}

/** The URI in the QR code of a secret (Key URI format of Google Authenticator). */
export async function otpauthUrl(secret: string, email: string, issuer: string): Promise<string> {
  return (await library()).generateURI({ issuer, label: email, secret })
}

/** The time step of six digits among those around `now`; undefined when none matches. */
export async function stepOf(secret: string, digits: string, now: Date): Promise<number | undefined> {
  const epoch = Math.floor(now.getTime() / 1000)
  const result = (await library()).verifySync({ secret, token: digits, epoch, epochTolerance: tolerance })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
