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
 * Runs in the page before anything is painted, so it stands alone: no import, nothing from outside. It chooses the theme,
 * then fetches what the address needs, files and data at once, instead of each after the one that asks for it.
 */
export function boot(routes: BootRoute[], files: string[]): void {
  const root = document.documentElement
  let stored: string | null = null
  try {
    stored = localStorage.getItem('darkMode')
  } catch {}
  const dark = stored === null ? matchMedia('(prefers-color-scheme: dark)').matches : stored === '1'
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

  const route = routes.find(({ p }) => new RegExp(p).test(location.pathname))
  const token = /(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1]
  // Without a token the guard sends to the sign-in page: nothing of this one is needed.
  if (!route || (route.c && !token)) return
  for (const at of route.f) {
    const file = files[at]
    if (file === undefined || document.querySelector(`link[href="${file}"]`)) continue
    const link = document.createElement('link')
    link.rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload'
    link.href = file
    document.head.append(link)
  }
  const calls: Record<string, Promise<Response>> = {}
  for (const path of route.q) {
    const accept = path.startsWith('/api/v1/') ? 'application/vnd.api+json' : 'application/json'
    const headers: Record<string, string> = token ? { accept, authorization: `Bearer ${token}` } : { accept }
    const answer = fetch(path, { headers })
    // Whoever takes the answer sees the failure too; until then it is nobody's.
    answer.catch(() => {})
    calls[path] = answer
  }
  Object.assign(window, { __started: { token, calls } })
}
