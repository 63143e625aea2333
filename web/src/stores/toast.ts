import { store } from './store.ts'

export type Toast = { id: number; title: string; text?: string | undefined; tone: 'good' | 'bad' }

const current = store<readonly Toast[]>([])
let last = 0

/** Long enough to read a sentence twice. */
const shownFor = 5_000

export const dismissToast = (id: number): void =>
  current.set(current.get().filter((toast) => toast.id !== id))

/** Confirms an action briefly. Failures are shown where they happen; only those without a place come here. */
export function toast(title: string, text?: string, tone: Toast['tone'] = 'good'): void {
  last += 1
  const id = last
  // A repeated text replaces the first, or three failed attempts would pile up; a success replaces what failed before it.
  const others = current
    .get()
    .filter(
      (shown) => (shown.title !== title || shown.text !== text) && (tone === 'bad' || shown.tone === 'good'),
    )
  current.set([...others, { id, title, text, tone }])
  setTimeout(() => dismissToast(id), shownFor)
}

/** Takes failures away, once a person mends what they are about. */
export const dismissFailures = (): void => current.set(current.get().filter(({ tone }) => tone === 'good'))

export const useToasts = current.use
export const shownToasts = current.get
