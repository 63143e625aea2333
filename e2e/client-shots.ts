import type { Page } from '@playwright/test'
import { m } from '../web/src/texts/compiled/messages.js'
import { section } from './account-page.ts'
import { addressOf } from './addresses.ts'
import type { Shot } from './shot.ts'

const projects = '**/api/v1/projects?*'
const failure = {
  errors: [{ id: 'req-4c1d9a', status: '500', code: 'internal', detail: 'The list could not be read.' }],
}

const press = (key: string) => (page: Page) => page.keyboard.press(key)
/** By the place in the bar or page, because the names differ by language. */
const open = (role: 'banner' | 'main', at: number) => (page: Page) =>
  page.getByRole(role).getByRole('button').filter({ visible: true }).nth(at).click()

const account = (anchor: string) => `${addressOf('manage-account')}#${anchor}`
const pressIn = (title: () => string) => (page: Page) =>
  section(page, title()).getByRole('button').last().click()
const recovery = {
  recovery_codes: Array.from({ length: 10 }, (_, at) => `k7qm-2xw${at}-9fhd-r3t${at}`),
}
const tooOld = { errors: [{ status: '403', code: 'recent_sign_in_required', detail: 'Sign in once more.' }] }

/** The states of the pages of those who are signed in. */
export const clientStates: readonly Shot[] = [
  { name: 'not-found', address: '/no-such-page', as: 'ana' },
  { name: 'prices-vat', address: `${addressOf('prices')}?country=RO` },
  { name: 'login-refused', address: '/login', after: refuse },
  { name: 'dashboard-banner', address: '/', as: 'ioana' },
  { name: 'dashboard-empty', address: '/', as: 'mihai' },
  {
    name: 'dashboard-loading',
    address: '/',
    as: 'ana',
    before: (page) => page.route(projects, () => undefined),
    waiting: true,
  },
  {
    name: 'dashboard-error',
    address: '/',
    as: 'ana',
    before: (page) => page.route(projects, (route) => route.fulfill({ status: 400, json: failure })),
    after: async (page) => {
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },
  },
  { name: 'payment-debt', address: '/payment', as: 'ioana' },
  { name: 'pay-debt', address: '/usages/pay', as: 'ioana' },
  { name: 'tickets-guest', address: '/tickets', as: 'mihai' },
  { name: 'panel', address: '/1', as: 'ana' },
  { name: 'panel-domains', address: '/1?tab=domains', as: 'ana' },
  { name: 'panel-activity', address: '/1?tab=activity', as: 'ana' },
  { name: 'panel-guest', address: '/1', as: 'mihai' },
  { name: 'panel-ticket', address: '/add-ticket/technical/1?facts=1', as: 'ana' },
  { name: 'panel-clusters-empty', address: '/1?tab=clusters', as: 'ana' },
  { name: 'panel-nothing-found', address: '/1?tab=domains&search=nothing-of-this-name', as: 'ana' },
  { name: 'dialog', address: '/', as: 'ana', after: open('main', 0) },
  { name: 'palette', address: '/', as: 'ana', after: press('Control+k') },
  { name: 'workspace-menu', address: '/', as: 'ana', after: open('banner', 0) },
  {
    name: 'menu-or-drawer',
    address: '/',
    as: 'ana',
    after: (page) => page.getByRole('banner').getByRole('button').filter({ visible: true }).last().click(),
  },
  { name: 'bell', address: '/', as: 'ana', after: ring },
  { name: 'ticket', address: addressOf('tickets'), as: 'ana', after: openFirst },
  { name: 'tickets-none', address: addressOf('tickets'), as: 'mihai' },
  { name: 'tickets-staff', address: addressOf('tickets'), as: 'support' },
  { name: 'ticket-staff', address: addressOf('tickets'), as: 'support', after: openFirst },
  { name: 'api-keys-form', address: addressOf('api-keys'), as: 'ana', after: open('main', 0) },
  { name: 'billing-debt', address: addressOf('billing'), as: 'ioana' },
  { name: 'billing-panel-year', address: `${addressOf('billing')}/1?days=365`, as: 'ana' },
  { name: 'usages-meters', address: `${addressOf('usages')}?period=year&split=meter`, as: 'ana' },
  { name: 'usages-lines', address: `${addressOf('usages')}?split=lines`, as: 'ana' },
  { name: 'usages-none', address: addressOf('usages'), as: 'mihai' },
  { name: 'account-faults', address: account('billing'), as: 'ioana', after: fail },
  { name: 'account-leave', address: account('personal'), as: 'ioana', after: leave },
  {
    name: 'account-two-factor',
    address: account('two-factor'),
    as: 'ioana',
    after: pressIn(m.account_two_factor),
  },
  {
    name: 'account-recovery-codes',
    address: account('two-factor'),
    as: 'ioana',
    before: (page) => page.route('**/two-factor/enable', (route) => route.fulfill({ json: recovery })),
    after: turnOn,
  },
  {
    name: 'account-identity-check',
    address: account('two-factor'),
    as: 'ioana',
    before: (page) =>
      page.route('**/two-factor/setup', (route) => route.fulfill({ status: 403, json: tooOld })),
    after: pressIn(m.account_two_factor),
  },
]

/** The bell is before the person, whose button is the last of the bar. */
async function ring(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').filter({ visible: true }).nth(-2).click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
}

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('rowheader').getByRole('link').first().click()
}

async function fail(page: Page): Promise<void> {
  const billing = section(page, m.account_billing())
  await billing.getByRole('textbox').nth(2).fill('')
  await billing.getByRole('button').last().click()
}

async function leave(page: Page): Promise<void> {
  await section(page, m.account_personal()).getByRole('textbox').first().fill('Somebody else')
  await page.getByRole('banner').getByRole('link').first().click()
}

async function turnOn(page: Page): Promise<void> {
  await pressIn(m.account_two_factor)(page)
  await section(page, m.account_two_factor()).getByRole('textbox').fill('123456')
  await page.keyboard.press('Enter')
}

async function refuse(page: Page): Promise<void> {
  await page.getByRole('textbox').first().fill('ana@demo.test')
  await page.getByRole('textbox').last().fill('not-the-password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText(/./).waitFor()
}
