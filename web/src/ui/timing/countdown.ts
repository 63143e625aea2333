import { useEffect, useState } from 'react'

/** Whole seconds until a moment (in milliseconds), at least 0. Updates every second while mounted. */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, Math.ceil((moment - now) / 1000))
  useEffect(() => {
    // Recomputed from the clock, so that a tab that slept is right after its first tick.
    if (moment <= Date.now()) return setNow(Date.now())
    const timer = setInterval(() => {
      setNow(Date.now())
      if (moment <= Date.now()) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [moment])
  return left
}

/** Seconds as a clock shows them: 0:42. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
