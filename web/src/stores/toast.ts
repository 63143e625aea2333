import { store } from './store.ts'

export type Toast = { id: number; title: string; text?: string | undefined; tone: 'good' | 'bad' }

const current = store<readonly Toast[]>([])
let last = 0

/** Long enough to read a sentence twice. */
const shownFor = 5_000

export const dismissToast = (id: number): void =>
  current.set(current.get().filter((toast) => toast.id !== id))

/** Says briefly that something was done. What failed stays where it failed; only what has no place comes here. */
export function toast(title: string, text?: string, tone: Toast['tone'] = 'good'): void {
  last += 1
  const id = last
  // The same once more takes the place of the first, or three wrong tries would pile up.
  const others = current.get().filter((shown) => shown.title !== title || shown.text !== text)
  current.set([...others, { id, title, text, tone }])
  setTimeout(() => dismissToast(id), shownFor)
}

export const useToasts = current.use
export const shownToasts = current.get
