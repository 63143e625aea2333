import { href } from '../routes.ts'
import { inviteToken } from '../stores/session.ts'

/** Where one goes on who was on the way to nowhere else: to the invitation that waits in this browser, or home. */
export function home(): string {
  const token = inviteToken.get()
  return token === null ? href('dashboard') : href('invitation', { token })
}
