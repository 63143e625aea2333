import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { chunk } from './chunk.ts'
import { useLate } from './late.tsx'

/** What a menu that came late is told: whether it was asked for while it was on its way, and its button. */
export type LateMenuProps<P> = { of: P; startOpen: boolean; children: ReactNode }

type Props<P> = {
  /** Brings the menu. */
  load: () => Promise<ComponentType<LateMenuProps<P>>>
  of: P
  /** The button. */
  children: ReactNode
}

/** How long after a finger was lifted its click may still come. */
const clickMs = 400

/**
 * Whether the button is being pressed at this moment. It is exchanged for one with a menu when that arrives, and an
 * exchange between press and click would lose the click.
 */
function useHeld() {
  const [held, setHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const hold = () => {
    clearTimeout(timer.current)
    setHeld(true)
  }
  const release = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setHeld(false), clickMs)
  }
  return [held, hold, release] as const
}

/** A button whose menu comes when one reaches for it; pressed before, the menu opens as soon as it is there. */
export function LateMenu<P>({ load, of, children }: Props<P>) {
  const [Menu, wake] = useLate(() => chunk(load))
  const [pressed, setPressed] = useState(false)
  const [held, hold, release] = useHeld()
  const place = useRef<HTMLSpanElement>(null)
  const focused = useRef(false)
  const arrived = Menu !== undefined && (pressed || !held)
  useEffect(() => {
    // The button that had the focus is gone, and the menu gives it back to the one that has it when it opens.
    if (arrived && (focused.current || pressed)) place.current?.querySelector('button')?.focus()
  }, [arrived, pressed])
  const press = () => {
    setPressed(true)
    wake()
  }
  const early = {
    onPointerEnter: wake,
    onPointerDown: hold,
    onPointerUp: release,
    onPointerCancel: release,
    onPointerLeave: release,
    onClick: press,
    onFocus: () => {
      focused.current = true
      wake()
    },
    onBlur: () => {
      focused.current = false
    },
  }
  return (
    // The button inside is what is pressed and focused; this only hears of it.
    <span ref={place} style={{ display: 'contents' }} {...(!arrived && early)}>
      {arrived ? (
        <Menu of={of} startOpen={pressed}>
          {children}
        </Menu>
      ) : (
        children
      )}
    </span>
  )
}

/**
 * Whether a menu is open. One that was asked for before it came opens after its button has the focus, which it gives back
 * when it closes.
 */
export function useOpened(startOpen: boolean) {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (startOpen) setOpened(true)
  }, [startOpen])
  return { opened, onChange: setOpened }
}
