import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { chunk } from './chunk.ts'
import { useLate } from './late.tsx'

/** The props of a late menu: whether it was requested while loading, and its button. */
export type LateMenuProps<P> = { of: P; startOpen: boolean; children: ReactNode }

type Props<P> = {
  /** Loads the menu. */
  load: () => Promise<ComponentType<LateMenuProps<P>>>
  of: P
  /** The button. */
  children: ReactNode
}

/** How long after a finger lifts its click may still come, in milliseconds. */
const clickMs = 400

/**
 * Whether the button is being pressed. The loaded menu replaces it, and a replacement between press and click
 * would lose the click.
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

/** A button whose menu loads on intent; if it was pressed before, the menu opens as soon as it has loaded. */
export function LateMenu<P>({ load, of, children }: Props<P>) {
  const [Menu, wake] = useLate(() => chunk(load))
  const [pressed, setPressed] = useState(false)
  const [held, hold, release] = useHeld()
  const place = useRef<HTMLSpanElement>(null)
  const focused = useRef(false)
  const arrived = Menu !== undefined && (pressed || !held)
  useEffect(() => {
    // The focused button is gone; the menu returns focus to the new one when it closes.
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
    // The button inside takes clicks and focus; this element only listens.
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
 * Whether a menu is open. One requested before it loaded opens after its button has the focus, so that it can
 * return the focus when it closes.
 */
export function useOpened(startOpen: boolean) {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (startOpen) setOpened(true)
  }, [startOpen])
  return { opened, onChange: setOpened }
}
