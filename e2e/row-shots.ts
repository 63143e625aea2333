import type { Page, Route } from '@playwright/test'
import { addressOf } from './addresses.ts'
import type { Shot } from './shot.ts'

type Resource = { id: string; attributes: Record<string, unknown>; relationships?: Record<string, unknown> }
type Listed = { data: Resource[]; meta?: { page?: Record<string, number> } }

/** Lists whose pages are seen with other numbers of rows, by the type that is listed. */
const lists = {
  dashboard: { address: '/', type: 'projects' },
  'panel-servers': { address: '/1', type: 'servers' },
  tickets: { address: addressOf('tickets'), type: 'tickets' },
  payments: { address: `${addressOf('billing')}?tab=payments`, type: 'transactions' },
  invoices: { address: `${addressOf('billing')}?tab=invoices`, type: 'invoices' },
  'billing-log': { address: addressOf('billing-log'), type: 'billing-logs' },
  'usages-lines': { address: `${addressOf('usages')}?split=lines`, type: 'usages' },
  'api-keys': { address: addressOf('api-keys'), type: 'api-keys' },
  'team-members': { address: addressOf('team-members'), type: 'share-invitations' },
} as const

const longName = 'Departamentul-de-relații-cu-clienții-și-comenzi-speciale-internaționale-2026'
const named = ['name', 'subject', 'first_name', 'description', 'domain', 'invited_email']

const failure = {
  errors: [{ id: 'req-4c1d9a', status: '400', code: 'internal', detail: 'It cannot be read.' }],
}

/** So many rows fill a page of a table. */
const many = 25

const withLongNames = ({ attributes, ...rest }: Resource): Resource => ({
  ...rest,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      named.includes(name) && typeof value === 'string' ? `${value} ${longName}` : value,
    ]),
  ),
})

/** Rows as a list may have them, made from those that it has. */
const rows = {
  empty: () => [],
  one: (all: Resource[]) => all.slice(0, 1),
  many: (all: Resource[]) =>
    all.length === 0
      ? []
      : Array.from({ length: many }, (_, at) => ({ ...all[at % all.length], id: String(at + 1) })),
  long: (all: Resource[]) => all.map(withLongNames),
} as const

/** Answers a list with other rows; the counts of its pages follow. */
const answered = (change: (all: Resource[]) => unknown[]) => async (route: Route) => {
  const response = await route.fetch()
  const document: Listed = await response.json()
  const data = change(document.data)
  const page = document.meta?.page
  const meta = page && { ...document.meta, page: { ...page, total: data.length, pages: 1 } }
  await route.fulfill({ response, json: { ...document, data, ...(meta && { meta }) } })
}

const listOf = (type: string) => (url: URL) => url.pathname === `/api/v1/${type}`

/** The dialog about a list that failed covers the page, which says the same. */
async function closeDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) === 0) return
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

function statesOf([name, { address, type }]: [string, { address: string; type: string }]): Shot[] {
  const fits = listOf(type)
  const filled = Object.entries(rows).map(
    ([state, change]): Shot => ({
      name: `${name}-${state}`,
      address,
      as: 'ana',
      before: (page) => page.route(fits, answered(change)),
    }),
  )
  return [
    ...filled,
    {
      name: `${name}-failing`,
      address,
      as: 'ana',
      before: (page) => page.route(fits, (route) => route.fulfill({ status: 400, json: failure })),
      after: closeDialog,
    },
    {
      name: `${name}-loading`,
      address,
      as: 'ana',
      before: (page) => page.route(fits, () => undefined),
      waiting: true,
    },
  ]
}

/** The pages of lists while they load, with no row, one, many, with long names, and when they fail. */
export const rowStates: readonly Shot[] = Object.entries(lists).flatMap(statesOf)
