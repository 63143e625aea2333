import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { lastLetter, linkOf } from './letters.ts'
import type { Shot } from './shot.ts'

const email = 'maria.ionescu@example.com'

/** Stubs the server's answer to a call that would need time or a mail. */
const answers =
  (path: string, json: unknown, status = 200) =>
  (page: Page) =>
    page.route(path, (route) => route.fulfill({ status, json }))

const fault = (code: string) => ({ errors: [{ status: '410', code, detail: code }] })

const submit = (page: Page) => page.getByRole('main').getByRole('button').last().click()

async function fillIn(page: Page): Promise<void> {
  const typed = ['Maria-Magdalena', 'Ionescu', email, 'grey lamp 12', 'grey lamp']
  for (const [at, text] of typed.entries()) await page.getByRole('textbox').nth(at).fill(text)
  await page.getByRole('textbox').nth(3).blur()
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox').first().fill(email)
  await page.getByRole('textbox').nth(1).fill('something long')
  await page.keyboard.press('Enter')
}

async function refuseCode(page: Page): Promise<void> {
  await signIn(page)
  // The one field of the second step takes the place of the two of the first.
  await page.getByRole('textbox').nth(1).waitFor({ state: 'detached' })
  await page.getByRole('textbox').fill('123456')
  await page.getByRole('alert').getByText(/./).waitFor()
}

/** As after a registration in this tab. */
async function registered(page: Page): Promise<void> {
  await page.goto('/icon.svg')
  const who = { email, first_name: 'Maria', last_name: 'Ionescu', again_at: Date.now() + 3_600_000 }
  await page.evaluate((kept) => sessionStorage.setItem('registering', JSON.stringify(kept)), who)
}

/** Google has vouched for the person, who has not entered their details. */
const uncompleted = (page: Page) =>
  page.route('**/api/user', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), google_process: 0 } })
  })

const challenge = answers('**/auth/login', { two_factor: true, challenge: 'one' })

/** An invitation of the demo that waits for an answer; its link is in the letter about it. */
const openInvitation = async (page: Page) => {
  await page.goto(linkOf(await lastLetter(page.request, 'elena@demo.test')))
}

/** The states of the pages that newcomers and guests see. */
export const guestStates: readonly Shot[] = [
  { name: 'create-account-faults', address: href('create-account'), after: submit },
  { name: 'create-account-filled', address: href('create-account'), after: fillIn },
  { name: 'second-step', address: href('login'), before: challenge, after: signIn },
  {
    name: 'second-step-refused',
    address: href('login'),
    before: async (page) => {
      await challenge(page)
      await answers(
        '**/auth/login/two-factor',
        { errors: [{ status: '422', code: 'code_invalid' }] },
        422,
      )(page)
    },
    after: refuseCode,
  },
  { name: 'verify-waiting', address: href('verify'), before: registered },
  {
    name: 'verify-email-done',
    address: href('verify-email', { id: 7, hash: 'done' }),
    before: answers('**/auth/verify-email/**', { status: true, email }),
  },
  {
    name: 'verify-email-expired',
    address: href('verify-email', { id: 7, hash: 'expired' }),
    before: answers('**/auth/verify-email/**', fault('link_expired'), 410),
  },
  {
    name: 'reset-password-form',
    address: `${href('reset-password')}#one`,
    before: answers('**/auth/password/check', { status: true, email }),
  },
  { name: 'email-change-undo', address: `${href('email-change')}#undo=one` },
  {
    name: 'email-change-done',
    address: `${href('email-change')}#confirm=one`,
    before: answers('**/auth/email/confirm', { status: true, email }),
  },
  {
    name: 'outbox-letter',
    address: href('outbox'),
    after: (page) => page.getByRole('main').getByRole('link').first().click(),
  },
  { name: 'invitation-open', address: href('login'), after: openInvitation },
  { name: 'invitation-signed-in', address: href('invitation2'), as: 'mihai', after: openInvitation },
  { name: 'invitation2-shared', address: href('invitation2'), as: 'mihai' },
  { name: 'register-details-form', address: href('register-details'), as: 'mihai' },
  { name: 'register-google-form', address: href('register-google'), as: 'mihai', before: uncompleted },
  {
    name: 'phone-countries',
    address: href('register-details'),
    as: 'mihai',
    after: (page) => page.getByRole('main').getByRole('button', { name: /\+\d/ }).click(),
  },
]
