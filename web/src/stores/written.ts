const prefix = 'draft:'

/**
 * What was written and not sent, by its name; it outlives a reload, until it is sent or the person signs out. Anybody may
 * have changed it, so whoever reads it checks what it is.
 */
export const written = {
  read: (name: string): unknown => {
    try {
      return JSON.parse(localStorage.getItem(prefix + name) ?? 'null')
    } catch {
      return null
    }
  },
  keep: (name: string, value: unknown): void => localStorage.setItem(prefix + name, JSON.stringify(value)),
  drop: (name: string): void => localStorage.removeItem(prefix + name),
}

/** Nothing of it is left for the next person at this browser. */
export function dropWritten(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
