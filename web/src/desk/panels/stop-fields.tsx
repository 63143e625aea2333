import { Checkbox, NativeSelect } from '@mantine/core'
import { stopKind } from '@portico/contract/resources/desk-panel-verbs.ts'
import { useState } from 'react'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'

type Kind = (typeof stopKind)['options'][number]

const kinds: Record<Kind, () => string> = {
  abuse: m.desk_stop_abuse,
  fraud: m.desk_stop_fraud,
  order: m.desk_stop_order,
  request: m.desk_stop_request,
}

/** Why staff stop something, and whether the client reads it: of an order only by choice. */
export function useStop() {
  const [kind, setKind] = useState<Kind>('abuse')
  const [letter, setLetter] = useState(false)
  const isOrder = kind === 'order'
  return {
    input: { kind, ...(isOrder && { letter }) },
    isRead: !isOrder || letter,
    fields: (
      <>
        <NativeSelect
          label={m.desk_stop_kind()}
          value={kind}
          data={stopKind.options.map((value) => ({ value, label: kinds[value]() }))}
          onChange={({ currentTarget }) =>
            setKind(stopKind.options.find((one) => one === currentTarget.value) ?? kind)
          }
        />
        {isOrder && (
          <Checkbox
            label={m.desk_stop_letter()}
            checked={letter}
            onChange={(event) => setLetter(event.currentTarget.checked)}
          />
        )}
      </>
    ),
  }
}
