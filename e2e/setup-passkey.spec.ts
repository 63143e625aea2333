import { m } from '../web/src/texts/compiled/messages.js'
import { addAuthenticator } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { fillAdminAccount, setupLinkIn } from './first-admin.ts'
import { expect } from './fixtures.ts'
import { withOwnPortal } from './own-portal.ts'

const test = withOwnPortal({ SEED: 'none' })

test('the first administrator may use a passkey, which signs them in later', async ({
  page,
  portal,
  context,
}) => {
  const authenticator = await addAuthenticator(page)
  await page.goto(setupLinkIn(portal.greeting))
  await fillAdminAccount(page)
  await expectAccessible(page, 'the choice of a second factor')
  await authenticator.refuse()
  const instead = page.getByRole('button', { name: m.desk_join_passkey() })
  await instead.click()
  await expect(page.getByText(m.passkey_not_made())).toBeVisible()
  await authenticator.confirm()
  await instead.click()
  await expect(page).toHaveURL(/\/desk\/checks$/)
  await expect(page.getByRole('heading', { name: m.desk_checks_not_ready() })).toBeVisible()

  await context.clearCookies()
  await page.goto('/login')
  await page.getByRole('button', { name: m.passkey_sign_in() }).click()
  await expect(page).toHaveURL(/\/desk/)
})
