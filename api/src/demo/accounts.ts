import { demoData, demoStaff } from './data.ts'

/** The password of all demo accounts, shown on the sign-in page. */
export const demoPassword = 'portico-demo'

/** The demo accounts, as the start and the sign-in page list them. */
export const demoAccounts = [...demoData, ...demoStaff].map(({ email, firstName, lastName, note }) => ({
  email,
  name: `${firstName} ${lastName}`,
  note,
}))
