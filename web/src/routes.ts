import { legal } from '@portico/contract/legal.ts'
import { loginPath, pricesPath, registerPath } from './paths.ts'
import type { PathParams, Route } from './route.ts'
import { m } from './texts/compiled/messages.js'

/**
 * Every page of the portal. `access` is the required session; `layout` surrounds the screen; `title` names
 * the window, the palette entry and the page.
 */
export const routes = {
  login: {
    path: loginPath,
    access: 'open',
    layout: 'plain',
    title: m.login_title,
    screen: () => import('./screens/login/login.tsx'),
  },
  dashboard: {
    path: '/:panel_id?',
    access: 'client',
    layout: 'main',
    title: m.dashboard_title,
    screen: () => import('./screens/dashboard/dashboard.tsx'),
    opened: () => import('./screens/dashboard/opened-panel.tsx'),
  },
  'manage-account': {
    path: '/manage-account',
    access: 'client',
    layout: 'main',
    title: m.manage_account_title,
    screen: () => import('./screens/manage-account/manage-account.tsx'),
  },
  billing: {
    path: '/billing/:panel_id?',
    access: 'client',
    layout: 'main',
    title: m.billing_title,
    screen: () => import('./screens/billing/billing.tsx'),
  },
  'billing-log': {
    path: '/billing-log',
    access: 'client',
    layout: 'main',
    title: m.billing_log_title,
    screen: () => import('./screens/billing-log/billing-log.tsx'),
  },
  usages: {
    path: '/usages',
    access: 'client',
    layout: 'main',
    title: m.usages_title,
    screen: () => import('./screens/usages/usages.tsx'),
  },
  pay: {
    path: '/usages/pay/:usage_id?',
    access: 'client',
    layout: 'main',
    title: m.pay_title,
    screen: () => import('./screens/pay/pay.tsx'),
  },
  'share-access': {
    path: '/share-access',
    access: 'client',
    layout: 'main',
    title: m.team_title,
    screen: () => import('./screens/sharing/team-members.tsx'),
  },
  register: {
    path: registerPath,
    access: 'open',
    layout: 'plain',
    title: m.register_title,
    screen: () => import('./screens/registration/register.tsx'),
  },
  'create-account': {
    path: '/create-account',
    access: 'open',
    layout: 'plain',
    title: m.create_account_title,
    screen: () => import('./screens/registration/create-account.tsx'),
  },
  'register-google': {
    path: '/register/google',
    access: 'client',
    layout: 'plain-wide',
    title: m.register_google_title,
    screen: () => import('./screens/registration/register-google.tsx'),
  },
  'register-signin': {
    path: '/register/signin',
    access: 'open',
    layout: 'plain',
    title: m.register_signin_title,
    screen: () => import('./screens/registration/register-signin.tsx'),
  },
  'verify-email': {
    path: '/verify-email/:id/:hash',
    access: 'open',
    layout: 'plain',
    title: m.verify_email_title,
    screen: () => import('./screens/registration/verify-email.tsx'),
  },
  unsubscribe: {
    path: '/unsubscribe/:token',
    access: 'open',
    layout: 'plain',
    title: m.manage_account_title,
    screen: () => import('./screens/unsubscribe.tsx'),
  },
  verify: {
    path: '/verify',
    access: 'open',
    layout: 'plain',
    title: m.verify_title,
    screen: () => import('./screens/registration/verify.tsx'),
  },
  invitation: {
    path: '/invitation/:token',
    access: 'open',
    layout: 'plain',
    title: m.invitation_title,
    screen: () => import('./screens/sharing/invitation.tsx'),
  },
  invitation2: {
    path: '/invitation2',
    access: 'open',
    layout: 'invite',
    title: m.invitation2_title,
    screen: () => import('./screens/sharing/invitation2.tsx'),
  },
  'register-details': {
    path: '/register-details',
    access: 'open',
    layout: 'plain-wide',
    title: m.register_details_title,
    screen: () => import('./screens/registration/register-details.tsx'),
  },
  payment: {
    path: '/payment',
    access: 'client',
    layout: 'main',
    title: m.payment_title,
    screen: () => import('./screens/payment/payment.tsx'),
  },
  callback: {
    path: '/callback',
    access: 'open',
    layout: 'plain',
    title: m.callback_title,
    screen: () => import('./screens/callback.tsx'),
  },
  'google-callback': {
    path: '/google/callback',
    access: 'open',
    layout: 'plain',
    title: m.callback_title,
    screen: () => import('./screens/google-callback.tsx'),
  },
  'add-new-card': {
    path: '/add-new-card',
    access: 'client',
    layout: 'main',
    title: m.add_new_card_title,
    screen: () => import('./screens/add-new-card/add-new-card.tsx'),
  },
  tickets: {
    path: '/tickets/:panel_id?',
    access: 'client',
    layout: 'main',
    title: m.tickets_title,
    screen: () => import('./screens/tickets/tickets.tsx'),
  },
  'view-ticket': {
    path: '/view-ticket/:id',
    access: 'client',
    layout: 'main',
    title: m.view_ticket_title,
    screen: () => import('./screens/view-ticket/view-ticket.tsx'),
  },
  'add-ticket': {
    path: '/add-ticket/:type?/:panel_id?',
    access: 'client',
    layout: 'main',
    title: m.add_ticket_title,
    screen: () => import('./screens/add-ticket/add-ticket.tsx'),
  },
  'team-members': {
    path: '/team-members',
    access: 'client',
    layout: 'bare',
    title: m.team_title,
    screen: () => import('./screens/sharing/team-members.tsx'),
  },
  'manage-permissions': {
    path: '/manage-permissions/',
    access: 'client',
    layout: 'main',
    title: m.manage_permissions_title,
    screen: () => import('./screens/sharing/manage-permissions.tsx'),
  },
  'edit-permissions': {
    path: '/edit-permissions/:invitation_id',
    access: 'client',
    layout: 'main',
    title: m.edit_permissions_title,
    screen: () => import('./screens/sharing/edit-permissions.tsx'),
  },
  'delegate-access': {
    path: '/delegate-access',
    access: 'client',
    layout: 'bare',
    title: m.delegate_access_title,
    screen: () => import('./screens/sharing/delegate-access.tsx'),
  },
  'api-keys': {
    path: '/api-keys',
    access: 'client',
    layout: 'main',
    title: m.api_keys_title,
    screen: () => import('./screens/api-keys/api-keys.tsx'),
  },
  'forgot-password': {
    path: '/forgot-password',
    access: 'open',
    layout: 'plain',
    title: m.forgot_password_title,
    screen: () => import('./screens/forgot-password.tsx'),
  },
  'reset-password': {
    path: '/reset-password',
    access: 'open',
    layout: 'plain',
    title: m.reset_password_title,
    screen: () => import('./screens/reset-password.tsx'),
  },
  'email-change': {
    path: '/email-change',
    access: 'open',
    layout: 'plain',
    title: m.email_change_title,
    screen: () => import('./screens/email-change.tsx'),
  },
  terms: {
    path: legal.terms,
    access: 'open',
    layout: 'plain-wide',
    title: m.terms,
    screen: () => import('./screens/legal.tsx'),
  },
  privacy: {
    path: legal.privacy,
    access: 'open',
    layout: 'plain-wide',
    title: m.privacy,
    screen: () => import('./screens/legal.tsx'),
  },
  prices: {
    path: pricesPath,
    access: 'open',
    layout: 'plain-wide',
    title: m.prices_title,
    // It has a document of its own, which the browser loads from the server.
    screen: () => new Promise<never>(() => location.reload()),
  },
  outbox: {
    path: '/outbox',
    access: 'open',
    layout: 'plain-wide',
    title: m.outbox_title,
    screen: () => import('./screens/outbox/outbox.tsx'),
  },
} as const satisfies Record<string, Route>

/** The start of the desk, which is a separate app: links need a full load. */
export const deskHome = '/desk'

/** Whether an address is a page of the desk. */
export const isOfDesk = (address: string): boolean => /^\/desk(?:[/?#]|$)/.test(address)

export type RouteName = keyof typeof routes
export type Params<N extends RouteName> = PathParams<(typeof routes)[N]['path']>

type Arguments<N extends RouteName> = object extends Params<N> ? [params?: Params<N>] : [params: Params<N>]

/** The address of a page. A missing parameter or an unknown page does not compile. */
export function href<N extends RouteName>(name: N, ...[params]: Arguments<N>): string {
  const given: Readonly<Record<string, string | number | undefined>> = params ?? {}
  const parts = routes[name].path.split('/').flatMap((part) => {
    if (!part.startsWith(':')) return [part]
    const value = given[part.slice(1).replace('?', '')]
    return value === undefined ? [] : [encodeURIComponent(value)]
  })
  return parts.join('/') || '/'
}
