import type { PathParams } from '../route.ts'
import type { RouteName, routes } from '../routes.ts'
import { m } from '../texts/compiled/messages.js'

const ofMoney = ['admin', 'billing', 'readonly'] as const

/** Every page of the desk; addresses are below `/desk`, where its router begins. All staff read a page without roles. */
export const deskRoutes = {
  home: { path: '/', title: m.desk_home_title, screen: () => import('./screens/home.tsx') },
  alerts: {
    path: '/alerts',
    title: m.desk_alerts_title,
    screen: () => import('./screens/alerts.tsx'),
    roles: ['admin', 'billing'],
  },
  requests: {
    path: '/requests',
    title: m.desk_requests_title,
    screen: () => import('./money/requests.tsx'),
    roles: ['admin', 'billing', 'support'],
  },
  documents: {
    path: '/documents',
    title: m.desk_documents_title,
    screen: () => import('./money/documents.tsx'),
  },
  payments: {
    path: '/payments',
    title: m.desk_payments_title,
    screen: () => import('./money/payments.tsx'),
    roles: ofMoney,
  },
  dunning: {
    path: '/dunning',
    title: m.desk_dunning_title,
    screen: () => import('./money/dunning.tsx'),
    roles: ofMoney,
  },
  closes: {
    path: '/closes',
    title: m.desk_closes_title,
    screen: () => import('./money/closes.tsx'),
    roles: ofMoney,
  },
  bank: {
    path: '/bank',
    title: m.desk_bank_title,
    screen: () => import('./money/bank.tsx'),
    roles: ofMoney,
  },
  accounting: {
    path: '/accounting',
    title: m.desk_accounting_title,
    screen: () => import('./money/accounting.tsx'),
    roles: ofMoney,
  },
  reports: {
    path: '/reports',
    title: m.desk_reports_title,
    screen: () => import('./money/reports.tsx'),
    roles: ofMoney,
  },
  'e-factura': {
    path: '/e-factura',
    title: m.desk_efactura_title,
    screen: () => import('./money/e-factura.tsx'),
    roles: ofMoney,
  },
  'vat-rates': {
    path: '/vat-rates',
    title: m.desk_vat_title,
    screen: () => import('./money/vat-rates.tsx'),
    roles: ofMoney,
  },
  rates: {
    path: '/rates',
    title: m.desk_rates_title,
    screen: () => import('./money/rates.tsx'),
    roles: ofMoney,
  },
  plans: {
    path: '/plans',
    title: m.desk_plans_title,
    screen: () => import('./money/plans.tsx'),
    roles: ofMoney,
  },
  plan: {
    path: '/plan/:code',
    title: m.desk_plan_title,
    screen: () => import('./money/plan.tsx'),
    roles: ofMoney,
  },
  'add-plan': {
    path: '/add-plan/:from?',
    title: m.desk_plan_add,
    screen: () => import('./money/add-plan.tsx'),
    roles: ['admin', 'billing'],
  },
  'edit-plan': {
    path: '/edit-plan/:code',
    title: m.desk_plan_edit_title,
    screen: () => import('./money/edit-plan.tsx'),
    roles: ['admin', 'billing'],
  },
  policies: {
    path: '/policies',
    title: m.desk_policies_title,
    screen: () => import('./screens/policies.tsx'),
    roles: ofMoney,
  },
  company: {
    path: '/company',
    title: m.desk_company_title,
    screen: () => import('./screens/company.tsx'),
    roles: ['admin'],
  },
  engines: {
    path: '/engines',
    title: m.desk_engines_title,
    screen: () => import('./screens/engines.tsx'),
    roles: ['admin', 'support', 'readonly'],
  },
  settings: {
    path: '/settings',
    title: m.desk_settings_title,
    screen: () => import('./screens/settings.tsx'),
    roles: ['admin'],
  },
  texts: {
    path: '/texts',
    title: m.desk_texts_title,
    screen: () => import('./screens/texts.tsx'),
    roles: ['admin'],
  },
  brand: {
    path: '/brand',
    title: m.desk_brand_title,
    screen: () => import('./front/brand.tsx'),
    roles: ['admin'],
  },
  announcements: {
    path: '/announcements',
    title: m.desk_news_page,
    screen: () => import('./front/announcements.tsx'),
    roles: ['admin'],
  },
  clients: { path: '/clients', title: m.desk_clients_title, screen: () => import('./screens/clients.tsx') },
  client: {
    path: '/clients/:id/:tab?',
    title: m.desk_client_title,
    screen: () => import('./screens/client.tsx'),
  },
  tickets: { path: '/tickets', title: m.tickets_title, screen: () => import('./tickets/queue.tsx') },
  ticket: {
    path: '/tickets/:id',
    title: m.view_ticket_title,
    screen: () => import('./tickets/ticket.tsx'),
  },
  panels: { path: '/panels', title: m.desk_panels_title, screen: () => import('./front/panels.tsx') },
  departments: {
    path: '/departments',
    title: m.desk_departments_title,
    screen: () => import('./tickets/departments.tsx'),
    roles: ['admin'],
  },
  staff: {
    path: '/staff',
    title: m.desk_staff_title,
    screen: () => import('./screens/staff.tsx'),
    roles: ['admin'],
  },
  log: {
    path: '/log',
    title: m.desk_log_title,
    screen: () => import('./screens/log.tsx'),
    roles: ['admin'],
  },
  checks: {
    path: '/checks',
    title: m.desk_checks_title,
    screen: () => import('./screens/checks.tsx'),
    roles: ['admin', 'support', 'readonly'],
  },
  letters: { path: '/letters', title: m.desk_letters_title, screen: () => import('./screens/letters.tsx') },
  jobs: {
    path: '/jobs',
    title: m.desk_jobs_title,
    screen: () => import('./screens/jobs.tsx'),
    roles: ['admin', 'support', 'readonly'],
  },
  begin: {
    path: '/begin',
    title: m.desk_begin_title,
    screen: () => import('./screens/begin.tsx'),
    open: true,
  },
  join: {
    path: '/join',
    title: m.desk_join_title,
    screen: () => import('./screens/join.tsx'),
    open: true,
  },
} as const

export type DeskRouteName = keyof typeof deskRoutes

/** Whether staff with a role read a page. */
export function isReadBy(role: string | undefined, name: DeskRouteName): boolean {
  const page = deskRoutes[name]
  const roles: readonly string[] | undefined = 'roles' in page ? page.roles : undefined
  return roles === undefined || (role !== undefined && roles.includes(role))
}

type Params<N extends DeskRouteName> = PathParams<(typeof deskRoutes)[N]['path']>
type Arguments<N extends DeskRouteName> =
  object extends Params<N> ? [params?: Params<N>] : [params: Params<N>]

/** The address of a page of the desk, for its router. */
export function deskHref<N extends DeskRouteName>(name: N, ...[params]: Arguments<N>): string {
  const given: Readonly<Record<string, string | number | undefined>> = params ?? {}
  const parts = deskRoutes[name].path.split('/').flatMap((part) => {
    if (!part.startsWith(':')) return [part]
    const value = given[part.slice(1).replace('?', '')]
    return value === undefined ? [] : [encodeURIComponent(value)]
  })
  return parts.join('/') || '/'
}

/**
 * Pages of the portal that the desk leads to, by a full load. They are repeated here because the table of the portal's
 * pages would bring all of them into the build of the desk; the type compares them.
 */
export const portal = {
  login: '/login',
  dashboard: '/',
  'manage-account': '/manage-account',
  prices: '/prices',
} as const satisfies { [N in RouteName]?: Plain<(typeof routes)[N]['path']> }

type Plain<P extends string> = P extends `${infer First}/:${string}?` ? (First extends '' ? '/' : First) : P

/** The desk itself, for a full load. */
export const deskPage = '/desk/'

/** Where the first administrator continues. */
export const setUpPage = `${deskPage}checks`
