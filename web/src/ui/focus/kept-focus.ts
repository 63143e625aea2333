/*
 * Gives the focus back to a control that was disabled while it worked, as a button that loads is: browsers take the focus
 * of a disabled control away, and the next press of Tab would begin after it.
 */
addEventListener('focusout', ({ target }) => {
  // A person who moves the focus leaves a control that is enabled.
  if (!(target instanceof HTMLElement && target.matches(':disabled'))) return
  new MutationObserver((_, enabling) => {
    enabling.disconnect()
    if (document.activeElement === document.body) target.focus({ preventScroll: true })
  }).observe(target, { attributeFilter: ['disabled'] })
})
