import { type KeyboardEvent, type ReactElement, useId, useState } from 'react'
import classes from './permitted.module.css'

/** Props of a control for a permitted verb. */
type Given = {
  readonly onClick: () => void
  readonly 'aria-disabled'?: true
  readonly 'aria-describedby'?: string
}

type Props<V extends string> = {
  /** The row, with the permissions that the server sent for its verbs. */
  of: { readonly may: { readonly [X in V]?: boolean }; readonly denied: { readonly [X in V]?: string } }
  verb: V
  /** Why it cannot be done now, independent of permissions. */
  unless?: string | undefined
  /** The id of a text that always describes the control. */
  describedBy?: string
  onClick: () => void
  children: (given: Given, isDenied: boolean) => ReactElement
}

const nothing = () => undefined

/**
 * A control for a verb that may be denied. A denied control is not `disabled`, because then no key reaches it: it does
 * nothing, and a tooltip gives the reason on hover and focus (in a menu it is a line under the item), which screen readers
 * read as its description.
 */
export function Permitted<V extends string>({ of, verb, unless, describedBy, onClick, children }: Props<V>) {
  const id = useId()
  const [isDismissed, setIsDismissed] = useState(false)
  const reason = unless ?? of.denied[verb]
  const isDenied = unless !== undefined || of.may[verb] === false
  if (!isDenied)
    return children({ onClick, ...(describedBy !== undefined && { 'aria-describedby': describedBy }) }, false)
  const described = [describedBy, reason === undefined ? undefined : id].filter(Boolean).join(' ')
  const dismiss = ({ key }: KeyboardEvent) => key === 'Escape' && setIsDismissed(true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape hides the tooltip, as WCAG 1.4.13 asks.
    <span
      className={classes.control}
      data-dismissed={isDismissed || undefined}
      onKeyDown={dismiss}
      onBlur={() => setIsDismissed(false)}
      onPointerLeave={() => setIsDismissed(false)}
    >
      {children(
        {
          onClick: nothing,
          'aria-disabled': true,
          ...(described !== '' && { 'aria-describedby': described }),
        },
        true,
      )}
      {reason !== undefined && (
        <span id={id} className={classes.why}>
          {reason}
        </span>
      )}
    </span>
  )
}
