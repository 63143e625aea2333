import { useEffect, useRef } from 'react'

type Form<V> = { readonly isUnsaved: boolean; readonly form: { readonly setValues: (values: V) => void } }

/**
 * Shows what the server made of the input, once it is saved and read again: in either order. `version` is the time of the
 * row's last change.
 */
export function useShownAsSaved<V>({ isUnsaved, form }: Form<V>, initial: V, version: string | undefined) {
  const shown = useRef(version)
  useEffect(() => {
    if (isUnsaved || shown.current === version) return
    shown.current = version
    form.setValues(initial)
  }, [isUnsaved, version, form, initial])
}
