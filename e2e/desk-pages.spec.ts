import type { Page } from '@playwright/test'
import { type DeskRouteName, deskRoutes } from '../web/src/desk/routes.ts'
import { deskHome } from '../web/src/routes.ts'
import { api } from './api.ts'
import { expectAccessible } from './axe.ts'
import { expect, signIn, test } from './fixtures.ts'
import { isWhole } from './sweep.ts'

const seed = Number(process.env.TEST_SEED)

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 390].flatMap((width) => (['en', 'ro'] as const).map((lang) => ({ colorScheme, width, lang }))),
)

// `deskRoutes` is the record with these keys.
const names = Object.keys(deskRoutes) as DeskRouteName[]

/** The parameters that a path requires. */
const required = (path: string) => path.match(/:\w+(?![\w?])/g) ?? []

/** Something to look at for each page that must name it. */
const subjects: { readonly [N in DeskRouteName]?: (page: Page) => Promise<string | undefined> } = {
  plan: async (page) => `${(await (await api(page)).list('desk-plans'))[0]?.attributes.code}`,
  'edit-plan': draft,
  client: async (page) => (await (await api(page)).list('desk-clients?filter[search]=ana@demo.test'))[0]?.id,
  ticket: async (page) => (await (await api(page)).list('tickets'))[0]?.id,
}

/** The code of a plan that is a draft, which is copied from another where there is none. */
async function draft(page: Page): Promise<string> {
  const plans = await (await api(page)).list('desk-plans')
  return `${(plans.find(({ attributes }) => attributes.state === 'draft') ?? plans[0])?.attributes.code}`
}

/** The address of a page; a page that must name something which is not declared above fails here. */
async function addressOf(page: Page, name: DeskRouteName): Promise<string> {
  const { path } = deskRoutes[name]
  const plain = path.replaceAll(/\/:\w+\?/g, '')
  if (required(path).length === 0) return deskHome + plain
  const subject = await subjects[name]?.(page)
  if (subject === undefined) throw new Error(`The page ${name} has nothing to be looked at with.`)
  return deskHome + plain.replace(/:\w+/, encodeURIComponent(subject))
}

/** How far the document scrolls sideways, and how many parts of it still wait. */
const shape = (page: Page) =>
  page.evaluate(() => ({
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    busy: document.querySelectorAll('[aria-busy=true]').length,
  }))

async function expectPage(page: Page, name: DeskRouteName, what: string): Promise<void> {
  await page.goto(await addressOf(page, name))
  await expect.soft(page.getByRole('heading', { level: 1 }), what).toHaveCount(1)
  await expect.poll(async () => (await shape(page)).busy, what).toBe(0)
  expect.soft((await shape(page)).sideways, what).toBeLessThanOrEqual(0)
  await expectAccessible(page, what)
}

for (const [at, look] of looks.entries()) {
  const { colorScheme, width, lang } = look
  // Each page in one of the looks, another with each seed.
  const chosen = isWhole ? names : names.filter((_, index) => (index + seed) % looks.length === at)
  test.describe(`${colorScheme}, ${width} pixels, ${lang}`, () => {
    test.use({ colorScheme, viewport: { width, height: 800 } })

    test('the pages of the desk are for everybody, have their heading, and fit', async ({
      page,
      context,
      baseURL,
    }) => {
      test.setTimeout(300_000)
      await context.addCookies([{ name: 'lang', value: lang, url: baseURL ?? '' }])
      await signIn(page, 'admin@demo.test')
      for (const name of chosen)
        await test.step(name, () => expectPage(page, name, `${name}, ${colorScheme}, ${width}, ${lang}`))
    })
  })
}
