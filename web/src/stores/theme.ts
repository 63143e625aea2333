import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

/** 1 dark, 0 light. */
const key = 'darkMode'

const system = () => matchMedia('(prefers-color-scheme: dark)')
const stored = () => {
  // A browser without storage uses the system's theme.
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const scheme = (dark: boolean): MantineColorScheme => (dark ? 'dark' : 'light')

/**
 * Starts from the stored choice, else from the system's; afterwards the latest change wins: the system, the
 * toggle or another tab. The boot script applies the first part before the first paint.
 */
export function colorSchemeManager(): MantineColorSchemeManager {
  let release = (): void => undefined
  // Mantine passes every change back to `set`; only the person's own choice is stored.
  let isFollowing = false
  const chosen = () => scheme(stored() === null ? system().matches : stored() === '1')
  const set = (value: MantineColorScheme) => {
    if (isFollowing) return
    try {
      localStorage.setItem(key, value === 'dark' ? '1' : '0')
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  }
  return {
    // At build there is no theme; the styles of prerendered pages contain both.
    get: (byDefault) => (typeof window === 'undefined' ? byDefault : chosen()),
    set,
    clear: () => localStorage.removeItem(key),
    subscribe: (onUpdate) => {
      const media = system()
      const follow = (value: MantineColorScheme) => {
        isFollowing = true
        onUpdate(value)
        isFollowing = false
      }
      const followSystem = () => {
        // A change of the system replaces the stored choice, which would otherwise return with the next page.
        if (stored() !== null) set(scheme(media.matches))
        follow(scheme(media.matches))
      }
      const followTab = (event: StorageEvent) => event.key === key && follow(chosen())
      media.addEventListener('change', followSystem)
      window.addEventListener('storage', followTab)
      release = () => {
        media.removeEventListener('change', followSystem)
        window.removeEventListener('storage', followTab)
      }
    },
    unsubscribe: () => release(),
  }
}
