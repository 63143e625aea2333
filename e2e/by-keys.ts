import { expect, type Locator, type Page } from '@playwright/test'

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** Presses a key until the target has the focus. */
export async function pressTo(page: Page, key: string, target: Locator, most = 25): Promise<void> {
  await expect(target).toBeVisible()
  for (let press = 0; press <= most; press++) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
  }
  throw new Error(`The focus did not come to ${target} with ${most} presses of ${key}.`)
}

/** Comes to something by Tab and presses Enter on it. */
export async function enter(page: Page, target: Locator, most = 25): Promise<void> {
  await pressTo(page, 'Tab', target, most)
  await page.keyboard.press('Enter')
}

/** Comes to a field by Tab and types in it, in the place of what is there. */
export async function typeIn(page: Page, field: Locator, text: string, most = 25): Promise<void> {
  await pressTo(page, 'Tab', field, most)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** The focus is on something of the page, not lost on the whole document. */
export const expectFocusKept = (page: Page, what: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName), what).not.toBe('BODY')
