import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { answerField, staffIn, ticketOf, unique } from './ticket.ts'

test('support reads the answer of a macro, sends it, and the ticket is tagged, urgent and on hold', async ({
  page,
  browser,
  baseURL,
}) => {
  const [name, subject] = [unique('Technician'), unique('Disk')]
  await signIn(page)
  const ticket = await ticketOf(page, subject, 'It is full')
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/departments`)
  await page.getByRole('button', { name: m.desk_answers_add() }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(m.desk_answers_name()).fill(name)
  await dialog.getByLabel(m.desk_answers_body_en()).fill('A technician goes there, {first_name}.')
  await dialog.getByLabel(m.desk_answers_body_ro()).fill('Un tehnician merge acolo.')
  await dialog.getByLabel(m.ticket_priority()).selectOption(m.priority_urgent())
  await dialog.getByRole('textbox', { name: m.ticket_tags() }).fill('Disk')
  await dialog.getByLabel(m.desk_answers_hold()).check()
  await expectAccessible(page, 'new macro')
  await dialog.getByRole('button', { name: m.save() }).click()
  const does = `${m.priority_urgent()} · #disk · ${m.macro_hold()}`
  await expect(page.getByRole('row', { name })).toContainText(does)

  const staff = await staffIn(browser, baseURL)
  await staff.goto(`/view-ticket/${ticket}`)
  await staff.getByRole('button', { name: m.ready_answers() }).click()
  await staff.getByRole('menuitem', { name }).click()
  await expect(answerField(staff)).toHaveValue('A technician goes there, Ana.')
  await expect(staff.getByText(m.macro_with({ actions: does }))).toBeVisible()
  await expectAccessible(staff, 'ticket with a macro')
  await staff.getByRole('button', { name: m.ticket_send(), exact: true }).click()
  await expect(staff.getByText(m.ticket_on_hold(), { exact: true })).toBeVisible()
  await expect(staff.getByLabel(m.ticket_priority())).toHaveValue('4')
  await expect(staff.getByText('disk', { exact: true })).toBeVisible()
  await staff.goto('/tickets')
  await staff.getByRole('combobox', { name: m.ticket_tags() }).selectOption('disk')
  await expect(staff.getByRole('row').filter({ hasText: subject })).toContainText('#disk')
  await staff.context().close()
})
