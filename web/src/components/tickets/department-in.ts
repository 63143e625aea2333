import { departmentCode } from '@portico/contract/rules/tickets/ticket-departments.ts'

/** The code of a department, if it can be one: departments are added and renamed at the desk. */
export const departmentIn = (given: unknown): string | undefined =>
  typeof given === 'string' && departmentCode.test(given) ? given : undefined
