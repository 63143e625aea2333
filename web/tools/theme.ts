/**
 * Runs in the page before the first paint, so it has no imports. It chooses the theme; the document itself
 * has the language.
 */
export function chooseTheme(): void {
  let stored: string | null = null
  try {
    stored = localStorage.getItem('darkMode')
  } catch {
    // A browser without storage uses the system's theme.
  }
  const dark = stored === null ? matchMedia('(prefers-color-scheme: dark)').matches : stored === '1'
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
