import { startPortal } from './portal.ts'

/**
 * One portal for all specs; they find it by PORTAL_URL, and its database by PORTAL_DATA. With these set already, a running
 * one is used.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PORTAL_URL) return undefined
  const portal = await startPortal()
  process.env.PORTAL_URL = portal.url
  process.env.PORTAL_DATA = portal.folder
  return portal.stop
}
