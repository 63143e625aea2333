import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What lies over a page lets nothing of it shine through; a rule about contrast does not see that. */
async function expectGround(page: Page, what: string): Promise<void> {
  const grounds = await page
    .getByRole('dialog')
    .evaluateAll((dialogs) => dialogs.map((dialog) => getComputedStyle(dialog).backgroundColor))
  expect(
    grounds.filter((ground) => !ground.startsWith('rgb(')),
    what,
  ).toEqual([])
}

/** Nothing on the page as it stands now, or in a part of it, breaks a rule of accessibility. */
export async function expectAccessible(page: Page, what: string, part?: string): Promise<void> {
  // Colours are measured as painted, so nothing may still be fading. What turns while one waits turns for ever.
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
  // What is right need not be described, which saves half of the time.
  const builder = new AxeBuilder({ page }).options({
    resultTypes: ['violations'],
    preload: false,
    // People who speak to their browser say what they see on a button.
    rules: { 'label-content-name-mismatch': { enabled: true } },
  })
  if (part !== undefined) builder.include(part)
  const { violations } = await builder.withTags(rules).analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${what}: ${id}\n${html}\n${failureSummary}`),
  )
  expect.soft(found).toEqual([])
  await expectGround(page, what)
}
