import { m } from '../../../texts/compiled/messages.js'

/** The browser and the system, as far as they are known. */
export function deviceName({ browser, system }: { browser: string | null; system: string | null }): string {
  if (browser !== null && system !== null) return m.device_browser_on({ browser, system })
  return browser ?? system ?? m.device_unknown()
}
