/**
 * A fade that cannot be shown is left out: a page that takes seconds to come, or another that is opened meanwhile, ends it,
 * and the page itself is there all the same. The browser would report each as a failure that nobody handled.
 */
export function letFadesEnd(): void {
  // Older browsers have none.
  const start = document.startViewTransition?.bind(document)
  if (!start) return
  document.startViewTransition = (update) => {
    const fade = start(update)
    fade.ready.catch(() => undefined)
    return fade
  }
}
