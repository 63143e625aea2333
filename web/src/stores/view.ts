import { viewKeys } from './session.ts'

/** Shows an account in this tab as its owner sees it, and keeps the page to return to. */
export function beginView(token: string): void {
  sessionStorage.setItem(viewKeys.token, token)
  sessionStorage.setItem(viewKeys.from, location.pathname)
  location.assign('/')
}
