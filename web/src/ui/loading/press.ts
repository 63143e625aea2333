let held = false

const hold = (now: boolean) => () => {
  held = now
}

// The page is also rendered where there is no window.
if (typeof window !== 'undefined') {
  addEventListener('pointerdown', hold(true), true)
  for (const end of ['pointerup', 'pointercancel'] as const) addEventListener(end, hold(false), true)
}

/**
 * Defers work that may move the page until no pointer is pressed: a button that moves between press and
 * release loses its click.
 */
export function afterPress(work: () => void): void {
  if (!held) {
    work()
    return
  }
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    setTimeout(work)
  }
  for (const event of ['pointerup', 'pointercancel'] as const)
    addEventListener(event, end, { capture: true, signal: ended.signal })
}
