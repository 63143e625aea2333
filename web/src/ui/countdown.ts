import { useEffect, useState } from 'react'

/** Whole seconds until a moment, in milliseconds; 0 once it is there. Counts down while it is shown. */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, Math.ceil((moment - now) / 1000))
  useEffect(() => {
    // A second is counted from when it is shown, so a tab that slept catches up with its first one.
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
