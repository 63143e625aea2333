import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { answerField, staffIn, ticketOf } from './ticket.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('an answer is previewed, sent by keyboard, and a picture is shown small and then large', async ({
  page,
}) => {
  await newcomer(page)
  const id = await ticketOf(page, 'Previewed', 'Since noon')
  await page.goto(`/view-ticket/${id}`)
  await answerField(page).fill('It is **much** slower')
  await page.getByRole('button', { name: m.ticket_preview() }).click()
  const preview = page.getByRole('region', { name: m.ticket_preview() })
  await expect(preview.getByText('much')).toHaveCSS('font-weight', /^[67]00$/)
  await expect(answerField(page)).toBeHidden()
  await page.getByRole('button', { name: m.ticket_edit() }).click()
  await expect(answerField(page)).toHaveValue('It is **much** slower')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles({ name: 'graph.png', mimeType: 'image/png', buffer: png })
  await expect(page.getByRole('button', { name: 'Remove graph.png' })).toBeVisible()
  await expect(page.getByText(/(?:Ctrl\+Enter|⌘↵) sends it\./)).toBeVisible()
  await answerField(page).press('ControlOrMeta+Enter')
  const small = page.getByRole('log').getByRole('button', { name: 'Show graph.png' })
  await expect(small.getByRole('presentation')).toHaveJSProperty('naturalWidth', 1)
  await small.click()
  await expect(
    page.getByRole('dialog', { name: 'graph.png' }).getByRole('img', { name: 'graph.png' }),
  ).toBeVisible()
})

for (const look of looks) {
  test.describe(`seen ${look.colorScheme} at ${look.width}`, () => {
    test.use(seenAs(look))

    test('support’s answers are on the left and one’s own on the right, tinted', async ({
      page,
      browser,
      baseURL,
    }) => {
      await newcomer(page)
      const id = await ticketOf(page, 'Sides', 'Since noon')
      const staff = await api(await staffIn(browser, baseURL))
      const body = 'We are looking'
      await staff.create('ticket-messages', { body }, { ticket: { type: 'tickets', id } })
      await page.goto(`/view-ticket/${id}`)
      const [own, support] = [page.getByRole('article').first(), page.getByRole('article').last()]
      await expect(support).toContainText(body)
      const edges = async (message: typeof own) => {
        const { x = 0, width = 0 } = (await message.boundingBox()) ?? {}
        return { left: x, right: x + width }
      }
      const [mine, theirs] = [await edges(own), await edges(support)]
      expect(mine.left).toBeGreaterThan(theirs.left)
      expect(mine.right).toBeGreaterThan(theirs.right)
      const ground = (message: typeof own) => message.evaluate((one) => getComputedStyle(one).backgroundColor)
      expect(await ground(own)).not.toBe(await ground(support))
      await expectAccessible(page, 'a thread')
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('the filters of the tickets fold into one sheet that says how many are set', async ({ page }) => {
    await signIn(page)
    await page.goto('/tickets')
    const first = page.getByRole('link', { name: 'Checkout answers 502 now and then' })
    await expect(first).toBeVisible()
    await expect(page.getByRole('combobox', { name: m.column_status() })).toHaveCount(0)
    await page.getByRole('button', { name: m.filters_button(), exact: true }).click()
    const sheet = page.getByRole('dialog', { name: m.filters_button() })
    await sheet.getByRole('combobox', { name: m.ticket_department() }).selectOption('technical')
    await sheet.getByRole('combobox', { name: m.ticket_panel() }).selectOption('web-eu1')
    await expectAccessible(page, 'the filters in a sheet')
    await sheet.getByRole('button', { name: m.filters_show() }).click()
    await expect(page.getByRole('button', { name: m.filters_count({ count: 2 }) })).toBeVisible()
    await expect(page).toHaveURL(/tickets\/\d+\?department=technical/)
  })
})
