// These functions are written into documents as text, so they import nothing.

/** Runs before the first paint. It chooses the theme; the document itself has the language. */
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

/**
 * Runs in a prerendered page before its app: keeps presses of buttons, which nobody could answer yet, until the
 * app asks for them by the event (see `useHeldPresses`). With parameters in the address links wait too: prerendered ones
 * lack them. Boxes and texts keep by themselves what is chosen in them.
 */
export function holdPresses(): void {
  const held: HTMLElement[] = []
  const kinds = location.search === '' ? 'button' : 'button, a'
  const hold = (event: MouseEvent) => {
    const { target } = event
    const pressed = target instanceof Element ? target.closest<HTMLElement>(kinds) : null
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey
    if (pressed === null || isElsewhere || !pressed.closest('[data-rendered]')) return
    event.preventDefault()
    // An impatient second press of the same button means the first.
    if (!held.includes(pressed)) held.push(pressed)
  }
  document.addEventListener('click', hold, true)
  document.addEventListener(
    'app-runs',
    () => {
      document.removeEventListener('click', hold, true)
      for (const pressed of held) pressed.click()
    },
    { once: true },
  )
}
