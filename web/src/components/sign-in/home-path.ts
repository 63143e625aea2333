import { href } from '../../routes.ts'
import { inviteToken } from '../../stores/session.ts'

/**
 * Where a person continues who was not on the way to a page: to the pending invitation in this browser, or
 * home.
 */
export function home(): string {
  const token = inviteToken.get()
  return token === null ? href('dashboard') : href('invitation', { token })
}
