import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { newcomer } from './newcomer.ts'
import { staffIn, ticketOf, unique } from './ticket.ts'

test('support merges a ticket into another of the client, who reads on there from either address', async ({
  page,
  browser,
  baseURL,
}) => {
  await newcomer(page)
  const [first, second] = [unique('Site down'), unique('Still down')]
  const into = await ticketOf(page, first, 'Since noon')
  const from = await ticketOf(page, second, 'And the shop too')

  const staff = await staffIn(browser, baseURL)
  await staff.goto(`/view-ticket/${from}`)
  await staff.getByRole('button', { name: m.ticket_merge_open() }).click()
  const dialog = staff.getByRole('dialog', { name: m.ticket_merge_title() })
  const choice = dialog.getByLabel(m.ticket_merge_into())
  await expect(choice.getByRole('option')).toHaveText([m.ticket_merge_choose(), new RegExp(first)])
  await expect(dialog.getByRole('button', { name: m.ticket_merge(), exact: true })).toBeDisabled()
  await dialog.getByRole('searchbox').fill('nothing of the kind')
  await expect(choice.getByRole('option')).toHaveText([m.ticket_merge_none()])
  await dialog.getByRole('searchbox').fill(first)
  await choice.selectOption({ value: into })
  await expectAccessible(staff, 'choice of a ticket to merge into')
  await dialog.getByRole('button', { name: m.ticket_merge(), exact: true }).click()

  await expect(staff).toHaveURL(new RegExp(`/desk/tickets/${into}$`))
  const log = staff.getByRole('log')
  await expect(log.getByRole('article')).toHaveText([
    /Since noon/,
    /And the shop too/,
    /was merged into this one/,
  ])
  await expect(staff.getByRole('heading', { level: 1 })).toHaveText(first)
  await staff.context().close()

  await page.goto('/tickets')
  await page.getByRole('link', { name: second }).click()
  await expect(page).toHaveURL(new RegExp(`/view-ticket/${into}$`))
  await expect(page.getByRole('log').getByText(/^Ticket T-\w+ was merged into this one\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: m.ticket_merge_open() })).toHaveCount(0)
})
