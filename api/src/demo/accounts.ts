import { demoData, demoStaff } from './data.ts'

/** What everyone in the demo signs in with: it is told to whoever looks at the sign-in page. */
export const demoPassword = 'portico-demo'

/** Whom a person can be in the demo, as the start and the sign-in page tell it. */
export const demoAccounts = [...demoData, ...demoStaff].map(({ email, firstName, lastName, note }) => ({
  email,
  name: `${firstName} ${lastName}`,
  note,
}))
