import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian } from './romanian.ts'

const reasonOf = () => `She agreed to it ${crypto.randomUUID()}`

/** Billing staff hold the dunning of a new client. Returns the reason that they gave. */
async function holdSomebody(page: Page): Promise<{ email: string; why: string }> {
  const email = await newcomer(page)
  const why = reasonOf()
  await signIn(page, 'billing@demo.test')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  await page.getByRole('button', { name: m.desk_hold() }).click()
  const dialog = page.getByRole('dialog')
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 10)
  await dialog.getByRole('textbox', { name: m.desk_hold_until() }).fill(tomorrow)
  await confirmVerb(dialog, m.desk_hold_verb(), why)
  return { email, why }
}

test('an administrator finds who did what, why, and what it changed', async ({ page }) => {
  const { why } = await holdSomebody(page)
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('link', { name: m.desk_log_title(), exact: true }).click()
  await page.getByRole('searchbox', { name: m.search() }).fill(why)
  const row = page.getByRole('row').filter({ hasText: why })
  await expect(row).toContainText('holdDunning')
  await expect(row).toContainText('Bianca')
  await row.getByText(m.desk_log_changes({ count: 1 })).click()
  const changes = row.getByRole('table', { name: /^clients / })
  await expect(changes.getByRole('row', { name: /^dunning_hold_until – / })).toBeVisible()
  await page.getByRole('combobox', { name: m.desk_column_who() }).selectOption('Sorin')
  await expect(row).toHaveCount(0)
  await expect(page).toHaveURL(/who=\d+/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: m.desk_column_who() })).toHaveValue(/\d+/)
  await page.getByRole('combobox', { name: m.desk_column_who() }).selectOption('Bianca')
  await page.getByRole('textbox', { name: m.desk_column_action() }).fill('holdDunning')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/verb=holdDunning/)
  await row.getByRole('link', { name: 'Maria Ionescu' }).click()
  await expect(page.getByRole('table', { name: m.desk_tab_log() }).getByText(why)).toBeVisible()
})

/** Writes a price list in the database, and takes it back; returns its code. */
async function writeInDatabase(before = ''): Promise<string> {
  const code = `log-${crypto.randomUUID()}`
  await inDatabase(`${before} insert into price_lists (code, currency) values ('${code}', 'USD');
    delete from price_lists where code = '${code}'`)
  return code
}

/** Opens what the entries changed, in which a test finds its own. */
async function openChanges(page: Page): Promise<void> {
  const all = page.getByText(/^\d+ (changes?|modific)/)
  await all.first().waitFor()
  for (const one of await all.all()) await one.click()
}

test('a write in the database that nobody explained is on the page of checks, which leads to it in the log', async ({
  page,
}) => {
  const code = await writeInDatabase()
  const why = reasonOf()
  const explained = await writeInDatabase(`select portico_because('${why}');`)
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/checks`)
  await page.getByRole('button', { name: m.desk_checks_run() }).click()
  const others = page.getByRole('list', { name: m.desk_checks_others() })
  const check = others.getByRole('listitem').filter({ hasText: m.desk_check_log() })
  await expect(check).toContainText("portico_because('why')")
  await check.getByRole('link').click()
  const origin = page.getByRole('combobox', { name: m.desk_log_origin() })
  await expect(origin).toHaveValue('unexplained')
  await openChanges(page)
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  await expect(row(code).first()).toContainText(m.desk_log_unexplained())
  await expect(row(code).first()).toContainText(m.desk_log_origin_sql())
  await expect(row(explained)).toHaveCount(0)
  await origin.selectOption(m.desk_log_origin_sql())
  const entry = row(why)
  await entry.getByText(m.desk_log_changes({ count: 2 })).click()
  await expect(entry).toContainText(explained)
  await origin.selectOption(m.desk_log_origin_desk())
  await expect(page).toHaveURL(/origin=desk/)
  await expect(row(explained)).toHaveCount(0)
})

test('billing have no log, and no link to it', async ({ page }) => {
  const { why } = await holdSomebody(page)
  await expect(page.getByRole('link', { name: m.desk_log_title(), exact: true })).toHaveCount(0)
  await page.goto(`${deskHome}/log`)
  await expect(page.getByRole('heading', { name: m.not_found_title() })).toBeVisible()
  await expect(page.getByText(why)).toHaveCount(0)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('the log is accessible, in Romanian too', async ({ page, baseURL }) => {
      const { why } = await holdSomebody(page)
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/log?search=${encodeURIComponent(why)}`)
      const row = page.getByRole('row').filter({ hasText: why })
      await row.getByText('1 modificare').click()
      await expectAccessible(page, 'the log of staff')
      await expectRomanian(page, 'the log of staff')
    })

    test('a write that nobody explained is accessible in the log, in Romanian too', async ({
      page,
      baseURL,
    }) => {
      const code = await writeInDatabase()
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/log?origin=unexplained`)
      await openChanges(page)
      const row = page.getByRole('row').filter({ hasText: code }).first()
      await expect(row).toContainText('Fără explicație')
      await expect(row).toContainText('În baza de date')
      await expectAccessible(page, 'the log of what nobody explained')
      await expectRomanian(page, 'the log of what nobody explained')
    })
  })
