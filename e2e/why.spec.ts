import type { Locator, Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { profileOf, sum } from './money.ts'

/** The months with usage, oldest first. */
async function usedMonths(page: Page): Promise<string[]> {
  const { as_of } = await profileOf(page)
  const from = new Date(Date.parse(as_of) - 399 * 86_400_000).toISOString().slice(0, 10)
  const payload = encodeURIComponent(JSON.stringify({ group_by: ['month'], from, to: as_of }))
  const server = await api(page)
  const { rows } = await server.ask(`usages/-actions/summary?payload=${payload}`)
  return rows.map(({ key }: { key: string[] }) => String(key[0]))
}

/** An amount as it is written: `+$1,234.50` or `-RON 3.20`. */
const amountIn = (text: string): number =>
  (text.startsWith('-') ? -1 : 1) * Number(text.replaceAll(/[^\d.]/g, ''))

/** The difference that a question asks about. */
function differenceIn(question: string): number {
  const [, amount = '0', direction] = /^Why (\S*[\d.,]+) (more|less) than/.exec(question) ?? []
  return (direction === 'less' ? -1 : 1) * amountIn(amount)
}

/** Reads the parts below a question: they add up to it, and the largest is the first. */
async function expectAnswer(list: Locator, question: string): Promise<void> {
  await expect(list.getByRole('link').first()).toBeVisible()
  const texts = await list.getByRole('listitem').allInnerTexts()
  const amounts = texts.map((text) =>
    amountIn(/[+-]?(?:\$|[A-Z]{3}\s?)[\d.,]+$/.exec(text.trim())?.[0] ?? ''),
  )
  expect(sum(...amounts), texts.join('\n')).toBe(differenceIn(question))
  const own = amounts.slice(0, 5).map(Math.abs)
  expect(own, texts.join('\n')).toEqual(own.toSorted((a, b) => b - a))
}

/** A part of one panel or resource leads to its usage alone. The answer is open when its address is. */
async function expectLines(page: Page, month: string): Promise<void> {
  const payload = encodeURIComponent(JSON.stringify({ month }))
  const { parts } = await (await api(page)).ask(`usages/-actions/explain?payload=${payload}`)
  const at = parts.findIndex(({ panel_id }: { panel_id: number | null }) => panel_id !== null)
  const { panel_id, resource } = parts[at]
  await page.goto(`${href('usages')}?period=${month}&why=1`)
  await why(page).getByRole('link').nth(at).click()
  const [chosen, value] =
    resource === null ? [m.usage_panel(), `${panel_id}`] : [m.usage_resource(), `${panel_id}/${resource}`]
  await expect(page.getByRole('combobox', { name: chosen, exact: true })).toHaveValue(value)
  await expect(why(page).getByRole('link')).toHaveCount(0)
}

const why = (page: Page) => page.getByRole('group').filter({ has: page.getByRole('heading', { level: 2 }) })

test('a month says why it costs more or less than the one before, and each reason leads to its lines', async ({
  page,
}) => {
  await signIn(page)
  const [first = '', second = '', ...later] = await usedMonths(page)
  for (const month of [second, ...later]) {
    await page.goto(`${href('usages')}?period=${month}`)
    const question = page.getByRole('heading', { name: /^(Why|As much as)/ })
    await expect(why(page).getByRole('link')).toHaveCount(0)
    await question.click()
    await expectAnswer(why(page), (await question.textContent()) ?? '')
  }
  await expectLines(page, second)
  await page.goto(`${href('usages')}?period=${first}`)
  await expect(page.getByText(/^There was no usage before/)).toBeVisible()
})

test('a monthly bill says the same of its month, and a payment does not', async ({ page }) => {
  await signIn(page)
  await page.goto(`${href('billing')}?tab=invoices`)
  const documents = page.getByRole('table', { name: m.invoices_title() }).getByRole('row')
  const bills = documents.filter({ has: page.getByRole('button', { name: /^What changed in/ }) })
  await expect(documents.filter({ hasText: /HST-\d+/ }).first()).toBeVisible()
  await expect(bills).toHaveCount(0)
  await page.getByLabel(m.invoices_show()).selectOption(m.invoices_statements())
  await expect(bills.first()).toBeVisible()
  await bills
    .first()
    .getByRole('button', { name: /^What changed in/ })
    .click()
  const dialog = page.getByRole('dialog', { name: /^(Why|As much as)/ })
  await expectAnswer(dialog, (await dialog.getByRole('heading').textContent()) ?? '')
  await expectAccessible(page, 'why a bill differs')
  await dialog.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: m.usages_title() })).toBeVisible()
  await expect(dialog).toBeHidden()
})

for (const look of looks) {
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the answer is accessible and fits, in Romanian too', async ({ page, baseURL }) => {
      await signIn(page, 'radu@demo.test')
      await page.goto(`${href('usages')}?why=1`)
      await expect(why(page).getByRole('link').first()).toBeVisible()
      await expectAccessible(page, 'why a month differs')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.reload()
      await expect(page.getByRole('heading', { name: /^(De ce cu RON|La fel ca în)/ })).toBeVisible()
      await expect(page.getByText(/^RON.* pentru .*, fără TVA\.$/)).toBeVisible()
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(over).toBeLessThanOrEqual(0)
    })
  })
}
