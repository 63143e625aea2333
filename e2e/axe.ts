import { expect, type Page } from '@playwright/test'
import axe, { type ElementContext, type Result, type RunOptions } from 'axe-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Returns the rules of accessibility that a page breaks, or a part of it. They are asked for in the page itself: the usual
 * package loads them into a second page for each answer, which takes three times as long.
 */
export async function violationsIn(page: Page, options: RunOptions, part?: string): Promise<Result[]> {
  if (page.frames().length > 1)
    throw new Error('The rules would not be asked for in the frames of this page.')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ run, context }) => {
      // It was loaded above, and the browser's types do not know it.
      const { axe: loaded } = window as unknown as { axe: typeof axe }
      return (await loaded.run(context ?? document, run)).violations
    },
    {
      // Passed checks are not collected, which halves the time.
      run: { resultTypes: ['violations'], preload: false, ...options } satisfies RunOptions,
      context: part === undefined ? undefined : ({ include: [part] } satisfies ElementContext),
    },
  )
}

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
  return (await violationsIn(page, { runOnly: ['target-size'] }, target)).length > 0
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
  const options = {
    runOnly: rules,
    // People who speak to their browser say what they see on a button.
    rules: { 'label-content-name-mismatch': { enabled: true } },
  }
  const found: string[] = []
  for (const { id, nodes } of await violationsIn(page, options, part)) {
    for (const { html, failureSummary, target } of nodes) {
      if (id === 'target-size' && !(await isSmall(page, target.join(' ')))) continue
      found.push(`${what}: ${id}\n${html}\n${failureSummary}`)
    }
  }
  expect.soft(found).toEqual([])
  await expectGround(page, what)
}
