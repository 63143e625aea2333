import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Overlays must be opaque; the contrast rule does not check that. */
async function expectGround(page: Page, what: string): Promise<void> {
  const grounds = await page
    .getByRole('dialog')
    .evaluateAll((dialogs) => dialogs.map((dialog) => getComputedStyle(dialog).backgroundColor))
  expect(
    grounds.filter((ground) => !ground.startsWith('rgb(')),
    what,
  ).toEqual([])
}

/** Whether a target is too small where nothing that stays in place, like the bar at the top, covers it. */
async function isSmall(page: Page, target: string): Promise<boolean> {
  await page.locator(target).evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const { violations } = await new AxeBuilder({ page }).include(target).withRules('target-size').analyze()
  return violations.length > 0
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
  // Passed checks are not collected, which halves the time.
  const builder = new AxeBuilder({ page }).options({
    resultTypes: ['violations'],
    preload: false,
    // People who speak to their browser say what they see on a button.
    rules: { 'label-content-name-mismatch': { enabled: true } },
  })
  if (part !== undefined) builder.include(part)
  const { violations } = await builder.withTags(rules).analyze()
  const found: string[] = []
  for (const { id, nodes } of violations) {
    for (const { html, failureSummary, target } of nodes) {
      if (id === 'target-size' && !(await isSmall(page, target.join(' ')))) continue
      found.push(`${what}: ${id}\n${html}\n${failureSummary}`)
    }
  }
  expect.soft(found).toEqual([])
  await expectGround(page, what)
}
