import { startPortal } from './portal.ts'

/** One portal for all specs; they find it by PORTAL_URL. With that set already, a running one is used. */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PORTAL_URL) return undefined
  const portal = await startPortal()
  process.env.PORTAL_URL = portal.url
  return portal.stop
}
