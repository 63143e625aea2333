/** What the script in the page knows of one route. */
export type BootRoute = {
  /** What its addresses look like. */
  p: string
  /** 1: it needs a signed-in person, and asks the server nothing without one. */
  c: 0 | 1
  /** Its files, as places in the list of files. */
  f: number[]
  /** What it asks the server first. */
  q: string[]
}

/**
 * Runs in the page first of all, alone like `boot`. A form that nobody took is one that was sent before the app ran: instead of
 * leaving the page, the way it goes without scripts, it is sent again until the app takes it.
 */
export function holdForms(): void {
  let again: ReturnType<typeof setTimeout>
  addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    event.preventDefault()
    // Nothing but a form is submitted.
    const form = event.target as HTMLFormElement
    clearTimeout(again)
    again = setTimeout(() => form.requestSubmit(event.submitter), 50)
  })
}

/**
 * Runs in the page before anything is painted, so it stands alone: no import, nothing from outside. It chooses the theme,
 * then fetches what the address needs, files and data at once, instead of each after the one that asks for it.
 */
export function boot(routes: BootRoute[], files: string[]): void {
  const root = document.documentElement
  const setTheme = () => {
    let stored: string | null = null
    try {
      stored = localStorage.getItem('darkMode')
    } catch {
      // A browser that forbids storage still has a theme: its system's.
    }
    const dark = stored === null ? matchMedia('(prefers-color-scheme: dark)').matches : stored === '1'
    root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  }
  const fetchFile = (file: string) => {
    if (document.querySelector(`link[href="${file}"]`)) return
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    if (file.endsWith('.css')) {
      // Only fetched: here they would stand before the styles of every page, which come later and would undo them. The loader
      // of chunks puts them where they belong, by a link that asks in this same way.
      link.rel = 'preload'
      link.as = 'style'
      link.crossOrigin = ''
    }
    link.href = file
    document.head.append(link)
  }
  const start = (path: string, token: string | undefined) => {
    const accept = path.startsWith('/api/v1/') ? 'application/vnd.api+json' : 'application/json'
    const answer = fetch(path, { headers: token ? { accept, authorization: `Bearer ${token}` } : { accept } })
    // Whoever takes the answer sees the failure too; until then it is nobody's.
    answer.catch(() => undefined)
    return [path, answer] as const
  }
  setTheme()
  const route = routes.find(({ p }) => new RegExp(p).test(location.pathname))
  const token = /(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1]
  // Without a token the guard sends to the sign-in page: nothing of this one is needed.
  if (!route || (route.c && !token)) return
  for (const at of route.f) fetchFile(files[at] ?? '')
  const calls = Object.fromEntries(route.q.map((path) => start(path, token)))
  Object.assign(window, { __started: { token, calls } })
}
