import { m } from '../../../texts/compiled/messages.js'

/** What a browser told of itself: both, one or nothing of it. */
export function deviceName({ browser, system }: { browser: string | null; system: string | null }): string {
  if (browser !== null && system !== null) return m.device_browser_on({ browser, system })
  return browser ?? system ?? m.device_unknown()
}
