/** Lists of a page or a dialog; a table of skeletons has no rows yet. */
const rowsOf = ':is(table:not([aria-busy="true"]) tbody tr, :is(ul, ol)[aria-label] > li)'
const controlsOf = ':is(button, a[role="button"], select):enabled:not([tabindex="-1"])'

/** An open dialog has the keys, else the page. */
const findScope = (): Element | null =>
  [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.querySelector('main')

function findRows(): HTMLElement[] {
  const rows = findScope()?.querySelectorAll<HTMLElement>(rowsOf) ?? []
  return [...rows].filter((row) => row.checkVisibility())
}

const isIn = (row: Element) => row.contains(document.activeElement)

/** The row that has the focus, also on something in it. */
const findRow = (): HTMLElement | undefined => findRows().find(isIn)

/** Moves the focus to the next row, or back; from elsewhere to the first one. */
export function stepRow(step: 1 | -1): void {
  const rows = findRows()
  const at = rows.findIndex(isIn)
  const row = rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]
  if (!row) return
  // Rows take the focus from these keys alone: Tab goes through what is in them.
  row.tabIndex = -1
  row.focus()
}

/** Follows the link of the row itself; a link or a button in it that has the focus does so without help. */
export function openRow(): void {
  const row = findRow()
  if (row === document.activeElement) row?.querySelector<HTMLElement>('a[href]')?.click()
}

/** Ticks the box of the row, where it has one. */
export function markRow(): void {
  findRow()?.querySelector<HTMLInputElement>('input[type="checkbox"]:enabled')?.click()
}

const verbsOf = (place: Element | null | undefined) => [
  ...(place?.querySelectorAll<HTMLElement>(controlsOf) ?? []),
]

/** Moves the focus to the next verb of the row, or of the page when no row has one; a menu opens. */
export function stepVerb(): void {
  const ofRow = verbsOf(findRow())
  const verbs = ofRow.length > 0 ? ofRow : verbsOf(findScope()?.querySelector('header'))
  const verb = verbs[(verbs.findIndex(isIn) + 1) % verbs.length]
  verb?.focus()
  if (verb?.getAttribute('aria-haspopup') === 'menu') verb.click()
}
