/** A browser or program and its system, as a person would name them; null for what the user agent does not say. */
export type DeviceName = { readonly browser: string | null; readonly system: string | null }

// The first that fits counts. Nearly all call themselves Chrome and Safari as well, so these come last; and what a person
// should recognise is the brand, never a version.
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

// Android says Linux too, and an iPhone says Mac OS X.
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

/** Names what a request came from by its user agent, which anybody can make up: it is told to people, and decides nothing. */
export function deviceName(userAgent: string | null | undefined): DeviceName {
  const text = userAgent?.slice(0, 400) ?? ''
  return { browser: firstOf(browsers, text) ?? programOf(text), system: firstOf(systems, text) }
}
