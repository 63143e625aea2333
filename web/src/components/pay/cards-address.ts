import { href } from '../../routes.ts'

/** The address of the cards of an account; undefined: one's own. */
export const cardsAddress = (account?: number): string =>
  `${href('billing')}?tab=methods${account === undefined ? '' : `&account=${account}`}`
