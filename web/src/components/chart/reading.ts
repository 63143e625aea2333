import { type KeyboardEvent, type PointerEvent, useState } from 'react'

const moves: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** The selected column: under the pointer, or reached by arrow keys; none at first. */
export function useRead(count: number) {
  const [chosen, read] = useState<number>()
  const last = count - 1
  const at = chosen === undefined ? undefined : Math.min(chosen, last)
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    read(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * count))))
  }
  const walk = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    read(Math.min(last, Math.max(0, move(at ?? last + 1, last))))
  }
  return { at, follow, walk, leave: () => read(undefined) }
}
