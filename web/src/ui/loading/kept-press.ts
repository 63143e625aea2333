const controls = 'a[href], button, label, summary, [role="option"]'

/** How far a hand that rests moves a pointer, in pixels; one that goes farther means to take the press back. */
const rest = 8

type Press = { readonly control: HTMLElement; readonly x: number; readonly y: number }

function pressOf({ target, isPrimary, button, clientX: x, clientY: y }: PointerEvent): Press | undefined {
  const control = target instanceof Element && target.closest<HTMLElement>(controls)
  return control && isPrimary && button === 0 ? { control, x, y } : undefined
}

function isMisled({ control, x, y }: Press, { target, clientX, clientY }: MouseEvent): boolean {
  const hasLeft = Math.hypot(clientX - x, clientY - y) > rest
  return !hasLeft && control.isConnected && target instanceof Node && !control.contains(target)
}

/**
 * Gives a click to the control that was pressed. When an answer arrives between press and release and moves the control
 * away from under a resting pointer, a browser gives the click to what surrounds both places, and nothing happens.
 */
export function keepPresses(): void {
  let press: Press | undefined
  const begin = (event: PointerEvent) => {
    press = pressOf(event)
  }
  const end = (event: MouseEvent) => {
    const begun = press
    press = undefined
    // A key makes a click without a count.
    if (!begun || event.detail === 0 || !isMisled(begun, event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    begun.control.click()
  }
  addEventListener('pointerdown', begin, true)
  addEventListener('click', end, true)
}
