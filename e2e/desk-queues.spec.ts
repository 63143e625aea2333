import type { Page } from '@playwright/test'
import { deskHome } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { expectAccessible } from './axe.ts'
import { inDatabase } from './database.ts'
import { confirmVerb } from './desk-verb.ts'
import { expect, signIn, test } from './fixtures.ts'
import { looks, seenAs } from './looks.ts'
import { newcomer } from './newcomer.ts'
import { expectRomanian, inRomanian } from './romanian.ts'

const why = 'The mail server works again'

/** A new person whose confirmation letter could not be sent. Returns their address. */
async function withFailedLetter(page: Page): Promise<string> {
  const email = await newcomer(page)
  await inDatabase(
    `update outbox_letters set sent_at = null, failed_at = now(), attempts = 10,
      last_error = '550 No such user, see https://mail.example/x?key=1' where recipient = $1`,
    email,
  )
  return email
}

/** A job that has failed for good, about a client who does not exist. Returns the number of the client. */
async function failedJob(): Promise<string> {
  const client = 900_000_000 + Math.floor(Math.random() * 99_999_999)
  await inDatabase(
    `with j as (select * from graphile_worker.add_job('vat.check', json_build_object('clientId', $1::int8),
      run_at => now() + interval '1 day')) select from j`,
    client,
  )
  await inDatabase(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'The office did not answer'
      where payload ->> 'clientId' = $1::text`,
    client,
  )
  return String(client)
}

async function confirm(page: Page, title: string, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await confirmVerb(dialog, verb, why)
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('an administrator sees which letter failed and why, and sends it again', async ({ page }) => {
  const email = await withFailedLetter(page)
  await signIn(page, 'admin@demo.test')
  await page.goto(deskHome)
  await page.getByRole('link', { name: m.desk_letters_title(), exact: true }).click()
  const shown = page.getByRole('combobox', { name: m.desk_queue_show() })
  await expect(shown).toHaveValue('all')
  await shown.selectOption(m.desk_shown_failed())
  await expect(page).toHaveURL(/state=failed/)
  const row = rowOf(page, email)
  await expect(row).toContainText('550 No such user, see https://mail.example')
  await expect(row).not.toContainText('key=1')
  await row.getByRole('button', { name: m.desk_letter_retry() }).click()
  await confirm(page, m.desk_letter_retry_title(), m.desk_letter_retry())
  await expect(row).toHaveCount(0)
  await shown.selectOption(m.desk_queue_all())
  await expect(async () => {
    await page.reload()
    await expect(row.getByText(m.desk_letter_sent())).toBeVisible({ timeout: 6000 })
  }).toPass()
})

test('support read the letters of a client and the jobs, and change none', async ({ page }) => {
  const email = await withFailedLetter(page)
  const job = await failedJob()
  await signIn(page, 'support@demo.test')
  await page.goto(`${deskHome}/clients?search=${encodeURIComponent(email)}`)
  await rowOf(page, email).getByRole('link').click()
  await page
    .getByRole('navigation', { name: m.desk_client_title() })
    .getByRole('link', { name: m.desk_tab_letters() })
    .click()
  const letter = page
    .getByRole('table', { name: m.desk_tab_letters() })
    .getByRole('row', { name: /^Confirmation of an address/ })
  await expect(letter).toContainText(m.desk_letter_failed())
  await expect(letter.getByRole('button')).toHaveCount(0)
  await page.getByRole('link', { name: m.desk_tab_sign_ins() }).click()
  const events = page.getByRole('table', { name: m.desk_tab_sign_ins() })
  await expect(events.getByRole('row', { name: m.event_signed_in() }).first()).toContainText('HeadlessChrome')
  await page.getByRole('link', { name: m.desk_jobs_title(), exact: true }).click()
  await expect(rowOf(page, job)).toContainText('The office did not answer')
  await expect(rowOf(page, job).getByRole('button')).toHaveCount(0)
})

test('an administrator runs a failed job again, and drops another', async ({ page }) => {
  const [first, second] = [await failedJob(), await failedJob()]
  await signIn(page, 'admin@demo.test')
  await page.goto(`${deskHome}/jobs`)
  await rowOf(page, first).getByRole('button', { name: m.desk_job_retry() }).click()
  await confirm(page, m.desk_job_retry_title(), m.desk_job_retry())
  await expect(rowOf(page, first)).toHaveCount(0)
  await rowOf(page, second).getByRole('button', { name: m.desk_job_drop() }).click()
  await confirm(page, m.desk_job_drop_title(), m.desk_job_drop())
  await expect(rowOf(page, second)).toHaveCount(0)
})

for (const look of looks)
  test.describe(`${look.colorScheme}, ${look.width} pixels`, () => {
    test.use(seenAs(look))

    test('letters and jobs are accessible, in Romanian too', async ({ page, baseURL }) => {
      const email = await withFailedLetter(page)
      const job = await failedJob()
      await signIn(page, 'admin@demo.test')
      await page.context().addCookies([{ name: 'lang', value: 'ro', url: baseURL ?? '' }])
      await page.goto(`${deskHome}/letters`)
      await expect(rowOf(page, email)).toBeVisible()
      await expectAccessible(page, 'the letters')
      await expectRomanian(page, 'the letters')
      await page.goto(`${deskHome}/jobs`)
      await rowOf(page, job)
        .getByRole('button', { name: inRomanian(m.desk_job_drop) })
        .click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'the drop of a job')
      await expectRomanian(page, 'the drop of a job')
    })
  })
