import { useEffect, useRef } from 'react'

/**
 * Calls `ask` at once and then at an interval after each answer, until it returns true. Pauses while the tab
 * is hidden and resumes at once; failures are retried.
 */
export function usePoll(ask: (signal: AbortSignal) => Promise<boolean>, every: number): void {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let asking = false
    const turn = async () => {
      clearTimeout(timer)
      if (asking || document.hidden) return
      asking = true
      const done = await latest.current(stop.signal).catch(() => false)
      asking = false
      if (done) stop.abort()
      if (!stop.signal.aborted) timer = setTimeout(turn, every)
    }
    document.addEventListener('visibilitychange', turn, { signal: stop.signal })
    void turn()
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [every])
}
