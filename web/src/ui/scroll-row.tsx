import { type ReactNode, useEffect, useRef } from 'react'

/** A fraction of a pixel is no text that one could scroll to. */
const least = 1

/** The width of the fading edge in pixels; the chosen one is not under it. */
const edge = 32

/** Fades the edges behind which there is more. */
function fade(row: HTMLElement): void {
  const before = row.scrollLeft > least ? edge : 0
  const after = row.scrollWidth - row.clientWidth - row.scrollLeft > least ? edge : 0
  row.style.maskImage =
    before + after === 0
      ? ''
      : `linear-gradient(to right, transparent, #000 ${before}px, #000 calc(100% - ${after}px), transparent)`
}

function keepFading(row: HTMLElement | null) {
  if (!row) return
  const again = () => fade(row)
  const sizes = new ResizeObserver(again)
  sizes.observe(row)
  // Other words or counts make the content wider, not the row.
  for (const child of row.children) sizes.observe(child)
  row.addEventListener('scroll', again, { passive: true })
  return () => {
    sizes.disconnect()
    row.removeEventListener('scroll', again)
  }
}

/** Scrolls the row alone, because the page must stay where it is. */
function show(row: HTMLElement, chosen: Element): void {
  const [frame, box] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()]
  if (box.left < frame.left + edge) row.scrollLeft += box.left - frame.left - edge
  else if (box.right > frame.right - edge) row.scrollLeft += box.right - frame.right + edge
}

/** The width of the content of a row: its own, or that of the page where there is room. */
export const whole = { width: 'max-content', minWidth: '100%' } as const

type Props = {
  /** The chosen one of the row, which is scrolled into view. */
  chosen: string
  children: ReactNode
}

/** A row of tabs or choices; where it is wider than the page it scrolls, with a fade at the edges that hide some. */
export function ScrollRow({ chosen, children }: Props) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => keepFading(row.current), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is what this waits for.
  useEffect(() => {
    const found = row.current?.querySelector('[aria-selected="true"], label[data-active]')
    if (row.current && found) show(row.current, found)
  }, [chosen])
  // Styles of its own would be a request more on pages that have no more to spare.
  return (
    <div ref={row} style={{ maxWidth: '100%', overflowX: 'auto' }}>
      {children}
    </div>
  )
}
