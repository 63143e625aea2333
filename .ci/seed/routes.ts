/** The required routes: name, path, access and layout. */
export const routes = [
  ['login', '/login', 'plain layout'],
  ['dashboard', '/{panel_id?}', 'main layout, auth'],
  ['manage-account', '/manage-account', 'auth'],
  ['billing', '/billing/{panel_id?}', 'auth'],
  ['billing-log', '/billing-log', 'auth'],
  ['usages', '/usages', 'auth'],
  ['pay', '/usages/pay/{usage_id?}', 'auth'],
  ['share-access', '/share-access', 'auth, shows the team members screen'],
  ['register', '/register', 'plain'],
  ['create-account', '/create-account', 'plain'],
  ['register-google', '/register/google', 'plain, auth'],
  ['register-signin', '/register/signin', 'plain'],
  ['verify-email', '/verify-email/{id}/{hash}', 'plain'],
  ['verify', '/verify', 'plain, e-mail confirmation screen'],
  ['invitation', '/invitation/{token}', 'plain'],
  ['invitation2', '/invitation2', 'own layout'],
  ['register-details', '/register-details', 'plain'],
  ['payment', '/payment', 'auth'],
  ['callback', '/callback', 'plain, sign-in callback handler'],
  ['google-callback', '/google/callback', 'plain'],
  ['add-new-card', '/add-new-card', 'auth'],
  ['tickets', '/tickets/{panel_id?}', 'auth'],
  ['view-ticket', '/view-ticket/{id}', 'auth'],
  ['add-ticket', '/add-ticket/{type?}/{panel_id?}', 'auth'],
  ['team-members', '/team-members', 'auth, bare layout'],
  ['manage-permissions', '/manage-permissions/', 'auth'],
  ['edit-permissions', '/edit-permissions/{invitation_id}', 'auth'],
  ['delegate-access', '/delegate-access', 'auth, bare layout'],
  ['api-keys', '/api-keys', 'auth'],
] as const

/** A required path in the notation of our table. */
export const pathOf = (path: string): string => path.replace(/\{(\w+)(\??)\}/g, ':$1$2')

/** The addresses of a path: with and without each optional part. */
export function addressesOf(path: string): string[] {
  const whole = path.replace(/\{\w+\??\}/g, '1')
  const short = path.replace(/\/\{\w+\?\}/g, '').replace(/\{\w+\}/g, '1')
  return [...new Set([whole, short || '/'])]
}

/** The layouts that satisfy a required one: two of ours are plain, and the own one of an invitation has its name. */
export function layoutsOf(words: string): readonly string[] {
  if (words.startsWith('plain')) return ['plain', 'plain-wide']
  if (words.includes('bare')) return ['bare']
  return words.startsWith('own') ? ['invite'] : ['main']
}

export const accessOf = (words: string): 'client' | 'open' => (/\bauth\b/.test(words) ? 'client' : 'open')
