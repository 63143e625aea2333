import fs from 'node:fs'
import { startPortal } from './portal.ts'

/**
 * One portal for all specs; they find it by PORTAL_URL, and its database by PORTAL_DATA. With these set already, a running
 * one is used. The data of its first start stays as it was in PORTAL_FILLED, for the portals that some specs have of their
 * own.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PORTAL_URL) return undefined
  console.info(`TEST_SEED=${process.env.TEST_SEED} looks at the pages in the same theme and width again.`)
  const first = await startPortal()
  await first.end()
  process.env.PORTAL_FILLED = first.folder
  const portal = await startPortal()
  process.env.PORTAL_URL = portal.url
  process.env.PORTAL_DATA = portal.folder
  return async () => {
    await portal.stop()
    fs.rmSync(first.folder, { recursive: true, force: true })
  }
}
