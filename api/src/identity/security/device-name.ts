/** A browser or program and its system, by display name; null for parts missing in the user agent. */
export type DeviceName = { readonly browser: string | null; readonly system: string | null }

// The first match wins. Nearly all browsers also claim to be Chrome and Safari, so these come last; people
// recognise the brand, not the version.
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

// Android also says Linux, and an iPhone says Mac OS X.
const systems: readonly [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPod\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac ?OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const firstOf = (names: readonly [RegExp, string][], text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** A program that is no browser names itself first: `curl/8.5.0`, `portico-cli/1.2`. */
const programOf = (text: string): string | null =>
  /^(?!Mozilla\/)([A-Za-z][\w.-]{0,30})\//.exec(text)?.[1] ?? null

/** Names the client of a request by its user agent, which can be forged: for display only. */
export function deviceName(userAgent: string | null | undefined): DeviceName {
  const text = userAgent?.slice(0, 400) ?? ''
  return { browser: firstOf(browsers, text) ?? programOf(text), system: firstOf(systems, text) }
}
