import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expect, signIn } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'
import { type Called, layScript, type RunningStripe, startStripe } from './stripe.ts'

// A portal of its own, that is paid by way of what stands in for Stripe. The second test pays by the card of the first.
let stripe: RunningStripe
const test = withOwnPortal(async () => {
  stripe = await startStripe()
  // The demo is filled again, because its cards and payments are those of the provider that it was filled with.
  return { ...stripe.env, PORTAL_FILLED: '' }
})
test.afterAll(() => stripe.stop())

const refused = (message: string) => ({ error: { message } })

test('a card is typed into Stripe’s form, its bank asks there, and a no of either loses nothing', async ({
  page,
  portal,
}) => {
  const noes = new Set(['confirmSetup', 'handleNextAction'])
  const calls = await layScript(page, async ([name, secret]: Called) => {
    // Refuses only the first time.
    if (noes.delete(name)) return refused(`No to ${name}.`)
    if (name === 'confirmSetup') return { setupIntent: await stripe.tell(secret, 'typed') }
    if (name === 'retrievePaymentIntent') return { paymentIntent: await stripe.tell(secret, 'seen') }
    if (name === 'handleNextAction') return { paymentIntent: await stripe.tell(secret, 'confirmed') }
    return null
  })
  await signIn(page)
  await page.goto(`${href('add-new-card')}?next=%2Fpayment%3Famount%3D20`)
  await expect(page.getByText('Card form of pk_test_12345678')).toBeVisible()
  const add = page.getByRole('button', { name: m.card_add() })
  await add.click()
  await expect(page.getByText('No to confirmSetup.')).toBeVisible()
  await add.click()
  await page.getByRole('button', { name: m.pay_sum({ amount: '$24.20' }) }).click()
  await expect(page.getByText(m.payment_waits_text())).toBeVisible()
  const ask = page.getByRole('button', { name: m.challenge_continue() })
  await ask.click()
  await expect(page.getByText('No to handleNextAction.')).toBeVisible()
  await expect(page.getByText(m.payment_waits_text())).toBeVisible()
  await ask.click()
  await expect(page.getByText(m.payment_on_balance({ amount: '$20.00' }))).toBeVisible()
  const [mounted, ...others] = calls
  const secrets = new Set(others.map(([, secret]) => secret))
  expect(mounted).toEqual(['mount', expect.stringMatching(/^secret_/), 'payment'])
  expect(others.map(([name]) => name)).toEqual([
    'confirmSetup',
    'confirmSetup',
    'retrievePaymentIntent',
    'handleNextAction',
    'retrievePaymentIntent',
    'handleNextAction',
  ])
  expect([others[0]?.[1], secrets.size]).toEqual([mounted?.[1], 2])
  expect(others[0]?.[2]).toMatch(new RegExp(`^${portal.url}${href('add-new-card')}\\?setup=\\d+$`))
})

test('a decline for missing confirmation is confirmed again with the same card', async ({ page }) => {
  const wanted = { status: 'requires_payment_method', last_payment_error: { payment_method: { id: 'pm_1' } } }
  const calls = await layScript(page, async ([name, secret]: Called) => {
    if (name === 'retrievePaymentIntent') return { paymentIntent: wanted }
    return { paymentIntent: await stripe.tell(secret, 'confirmed') }
  })
  await signIn(page)
  await page.goto(`${href('payment')}?amount=30`)
  await page.getByRole('button', { name: m.pay_sum({ amount: '$36.30' }) }).click()
  await page.getByRole('button', { name: m.challenge_continue() }).click()
  await expect(page.getByText(m.payment_on_balance({ amount: '$30.00' }))).toBeVisible()
  expect(calls.map(([name, , card]) => [name, card ?? null])).toEqual([
    ['retrievePaymentIntent', null],
    ['confirmCardPayment', 'pm_1'],
  ])
})
