import { useEffect, useRef } from 'react'

/**
 * Asks again and again, at once and then every so many milliseconds after each answer, until `ask` says that it is done.
 * It rests while the tab is hidden, and asks at once when it is back. What fails is asked again.
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
