/** The demo's people, told at the start and on the sign-in page of a demo. All have the same, public, password. */
export const demoAccounts = [
  { email: 'ana@demo.test', who: 'owner of Lumen Studio SRL: three workspaces, six panels' },
  { email: 'mihai@demo.test', who: 'invited by Ana, with some permissions' },
  { email: 'ioana@demo.test', who: 'a personal account with a negative balance' },
  { email: 'hans@demo.test', who: 'a company in Germany' },
  { email: 'trial@demo.test', who: 'on the ninth day of a trial' },
  { email: 'support@demo.test', who: 'staff: support' },
  { email: 'billing@demo.test', who: 'staff: billing' },
  { email: 'admin@demo.test', who: 'staff: administrator' },
] as const

export const demoPassword = 'portico-demo'
