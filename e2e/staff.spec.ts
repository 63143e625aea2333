import { expect, signIn, test } from './fixtures.ts'
import { answerField, staffIn, ticketOf, unique } from './ticket.ts'

const admin = 'admin@demo.test'
const support = 'support@demo.test'

test('staff are no customers: no page mentions billing details or a trial', async ({ page }) => {
  await signIn(page, admin)
  // The document of this page asks for it before any script runs.
  const answered = page.waitForResponse((answer) => answer.url().includes('/billing-profiles'))
  await page.goto('/manage-account')
  await (await answered).finished()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByLabel('Sales')).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Account notices' })).toHaveCount(0)
  await expect(page.getByText(/billing details are incomplete|Free trial/)).toHaveCount(0)
})

test('a new ticket reaches staff in the portal, who say how urgent it is and take it by answering', async ({
  browser,
  page,
  baseURL,
}) => {
  await signIn(page, 'hans@demo.test')
  const subject = unique('The certificate expires')
  const id = await ticketOf(page, subject, 'Tomorrow at noon', 'intranet')

  const staff = await staffIn(browser, baseURL)
  await staff.goto('/tickets')
  await staff.getByRole('button', { name: 'Notifications' }).click()
  await staff.getByRole('link', { name: `New ticket: ${subject}` }).click()
  const about = staff.getByRole('region', { name: 'About this ticket' })
  await expect(about.getByLabel('Assigned to')).toHaveValue('')
  const saved = staff.waitForResponse((answer) => answer.url().endsWith('/setPriority'))
  await about.getByLabel('Priority').selectOption('Urgent')
  expect((await saved).ok()).toBe(true)
  await staff.reload()
  await expect(about.getByLabel('Priority')).toHaveValue('4')
  await staff.goto('/tickets?sort=-priority')
  const row = staff.getByRole('row', { name: subject })
  await expect(row.getByRole('cell', { name: 'Urgent' })).toBeVisible()
  await staff.getByRole('columnheader', { name: 'Priority' }).getByRole('button').click()
  await expect(staff.getByRole('row').nth(1).getByRole('cell', { name: 'Urgent' })).toHaveCount(0)
  await staff.goto(`/view-ticket/${id}`)
  await answerField(staff).fill('We renew it.')
  await staff.getByRole('button', { name: 'Send answer' }).click()
  await expect(about.getByLabel('Assigned to')).not.toHaveValue('')
  await expect(about.getByLabel('Assigned to').getByRole('option', { selected: true })).toHaveText('Sorin')
  await staff.context().close()

  // A client does not choose how urgent it is.
  await page.goto(`/view-ticket/${id}`)
  await expect(page.getByRole('region', { name: 'About this ticket' })).toBeVisible()
  await expect(page.getByLabel('Priority')).toHaveCount(0)
})

test('staff chooses which tickets they are notified of, and how', async ({ page }) => {
  await signIn(page, support)
  await page.goto('/manage-account#staff-notices')
  const section = page.getByRole('region', { name: 'Notifications' })
  const saved = () =>
    page.waitForResponse(
      (answer) => /staff-preferences/.test(answer.url()) && answer.request().method() === 'PATCH',
    )
  const first = saved()
  await section.getByLabel('Sales').selectOption('Only mine')
  expect((await first).ok()).toBe(true)
  const second = saved()
  const byMail = section.getByRole('group', { name: 'Tickets' }).getByLabel('By e-mail')
  // The page shows the choice with its next frame.
  await byMail.click()
  await expect(byMail).not.toBeChecked()
  expect((await second).ok()).toBe(true)
  await page.reload()
  await expect(section.getByLabel('Sales')).toHaveValue('mine')
  await expect(section.getByLabel('Technical support')).toHaveValue('all')
  await expect(section.getByRole('group', { name: 'Tickets' }).getByLabel('By e-mail')).not.toBeChecked()
  await expect(section.getByRole('group', { name: 'Tickets' }).getByLabel('In the portal')).toBeChecked()
  // Alerts concern billing and administrators.
  await expect(section.getByRole('group', { name: 'Alerts' })).toHaveCount(0)
})
