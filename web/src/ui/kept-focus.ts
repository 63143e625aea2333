/**
 * Gives the focus back to a control that was disabled while it worked, as a button that loads is: browsers take the focus
 * of a disabled control away, and the next press of Tab would begin after it.
 */
export function keepFocus(): void {
  let focused: HTMLElement | undefined
  addEventListener('focusin', ({ target }) => {
    focused = target instanceof HTMLElement ? target : undefined
  })
  addEventListener('focusout', () => {
    // A person who moved the focus left a control that was enabled.
    if (!focused?.matches(':disabled')) focused = undefined
  })
  new MutationObserver(() => {
    if (document.activeElement === document.body && !focused?.matches(':disabled'))
      focused?.focus({ preventScroll: true })
  }).observe(document.body, { subtree: true, attributeFilter: ['disabled'] })
}
