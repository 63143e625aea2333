import type { TestApp } from '../../api/test/support/app.ts'
import { Browser } from '../../api/test/support/people.ts'

/** The password of everyone in the demo. */
const password = 'portico-demo'

/** Every person of the demo, signed in. */
export type People = Readonly<Record<'ana' | 'mihai' | 'ioana' | 'hans' | 'trial', Browser>>

/** Completes a whole sign-in as a person of the demo, and returns the answer of the callback. */
export async function signIn(browser: Browser, name: keyof People) {
  const { code } = (await browser.login(`${name}@demo.test`, password)).json()
  return browser.get(`/auth/callback?code=${code}`)
}

export async function people(app: TestApp['app']): Promise<People> {
  const enter = async (name: keyof People) => {
    const browser = new Browser(app)
    await signIn(browser, name)
    return browser
  }
  const [ana, mihai] = await Promise.all([enter('ana'), enter('mihai')])
  const [ioana, hans, trial] = await Promise.all([enter('ioana'), enter('hans'), enter('trial')])
  return { ana, mihai, ioana, hans, trial }
}
