import { href } from '../../routes.ts'
import { inviteToken } from '../../stores/session.ts'

/** The next page of a person without a destination: the pending invitation in this browser, or home. */
export function home(): string {
  const token = inviteToken.get()
  return token === null ? href('dashboard') : href('invitation', { token })
}
