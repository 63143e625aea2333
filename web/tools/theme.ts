/**
 * Runs in the page before anything is painted, so it stands alone: no import, nothing from outside. It chooses the theme; the
 * language is the document's own.
 */
export function chooseTheme(): void {
  let stored: string | null = null
  try {
    stored = localStorage.getItem('darkMode')
  } catch {
    // A browser that forbids storage still has a theme: its system's.
  }
  const dark = stored === null ? matchMedia('(prefers-color-scheme: dark)').matches : stored === '1'
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
