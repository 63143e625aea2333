// Half a minute to either side, for clocks that are wrong and people who type slowly (RFC 6238, section 5.2).
const tolerance = 30

// Loaded when the first code is looked at, so that a start does not wait for it.
const library = () => import('otplib')

/** A new secret of 160 bits, in base32, as authenticator apps take it. */
export async function newSecret(): Promise<string> {
  return (await library()).generateSecret()
}

/** What the picture of a secret says to an authenticator app (Key URI format of Google Authenticator). */
export async function otpauthUrl(secret: string, email: string): Promise<string> {
  return (await library()).generateURI({ issuer: 'Portico', label: email, secret })
}

/** The time step that six digits belong to, of those around `now`; undefined when they belong to none of them. */
export async function stepOf(secret: string, digits: string, now: Date): Promise<number | undefined> {
  const epoch = Math.floor(now.getTime() / 1000)
  const result = (await library()).verifySync({ secret, token: digits, epoch, epochTolerance: tolerance })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
