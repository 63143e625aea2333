/**
 * Ignores view transitions that cannot run: a slow page or a second navigation aborts one, and the browser
 * would report it as an unhandled rejection although the page itself is fine.
 */
export function letFadesEnd(): void {
  // Older browsers have no view transitions.
  const start = document.startViewTransition?.bind(document)
  if (!start) return
  document.startViewTransition = (update) => {
    const fade = start(update)
    fade.ready.catch(() => undefined)
    return fade
  }
}
