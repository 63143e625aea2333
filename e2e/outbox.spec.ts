import type { Page } from '@playwright/test'
import { href } from '../web/src/routes.ts'
import { m } from '../web/src/texts/compiled/messages.js'
import { violationsIn } from './axe.ts'
import { expect, password, test } from './fixtures.ts'
import { lastLetter, linkOf } from './letters.ts'

async function expectAccessible(page: Page): Promise<void> {
  const violations = await violationsIn(page, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
}

const someone = () => `outbox-${crypto.randomUUID()}@example.com`

const applicant = (email: string, language: 'en' | 'ro') => ({
  first_name: 'Maria',
  last_name: 'Ionescu',
  email,
  password: `${password} of mine`,
  terms: true,
  language,
})

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 360],
] as const) {
  test.describe(`${colorScheme}, ${width} pixels`, () => {
    test.use({ colorScheme, viewport: { width, height: 800 } })

    test('a letter that is written while one looks appears by itself, and its button leads on', async ({
      page,
      complaints,
    }) => {
      const email = someone()
      await page.goto(href('outbox'))
      await expect(page.getByRole('heading', { level: 1, name: m.outbox_title() })).toBeVisible()
      const answer = await page.request.post('/auth/register', { data: applicant(email, 'ro') })
      expect(answer.status()).toBe(200)
      const row = page.getByRole('link', { name: email })
      await expect(row).toBeVisible()
      await expectAccessible(page)
      await row.click()
      const subject = 'Confirmă adresa de e-mail pentru Carpat Cloud'
      await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
      const frame = page.getByTitle(subject)
      const letter = frame.contentFrame()
      await expect(letter.getByText('Bună, Maria,')).toBeVisible()
      const button = letter.getByRole('link', { name: 'Confirmă adresa' })
      await expect(button).toBeVisible()
      // The whole letter is shown, without a bar of its own to scroll it by.
      const box = await frame.boundingBox()
      const end = await letter.getByText(/Răspunsurile nu sunt citite/).boundingBox()
      expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0))
      await button.click()
      await expect(page).toHaveURL(/\/verify-email\/\d+\/[\w-]+$/)
      expect(page.context().pages()).toHaveLength(1)
      await page.goBack()
      await page.getByRole('link', { name: m.outbox_all() }).click()
      await expect(row).toBeVisible()
      await expect(page).toHaveURL(/\/outbox$/)
      // The tools of this test run scripts in every frame, and the letter's lets none in.
      const others = complaints.filter((text) => !/^Blocked script execution in 'about:srcdoc'/.test(text))
      complaints.splice(0, Number.POSITIVE_INFINITY, ...others)
    })
  })
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`a letter is readable for everybody, ${colorScheme}`, async ({ page }) => {
    const email = someone()
    await page.emulateMedia({ colorScheme })
    await page.request.post('/auth/register', { data: applicant(email, 'en') })
    const { html } = await lastLetter(page.request, email)
    await page.setContent(html)
    await expect(page.getByText('Hello Maria,')).toBeVisible()
    await expectAccessible(page)
  })

test('a program that tries out the portal reads the letter it caused', async ({ request }) => {
  const email = someone()
  await request.post('/auth/register', { data: applicant(email, 'en') })
  const letter = await lastLetter(request, email, /^Confirm/)
  expect(new URL(linkOf(letter)).pathname).toMatch(/^\/verify-email\//)
})
