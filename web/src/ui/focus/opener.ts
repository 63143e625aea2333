/** The focused control, or the button of the menu in which it is. */
export function findOpener(): HTMLElement | null {
  const { activeElement } = document
  const menu = activeElement?.closest('[role="menu"]')
  const found = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : activeElement
  return found instanceof HTMLElement ? found : null
}
