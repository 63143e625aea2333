import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { asFailure } from '../../api/failure.ts'
import { action } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { Refusal } from '../form-foot/form-foot.tsx'
import classes from './company-lookup.module.css'

// Loaded on demand, because the answer rarely differs.
const CompanyDiffers = lazily(async () => (await import('./company-differs.tsx')).CompanyDiffers)

const names = {
  company_name: m.company_name,
  address1: m.address,
  city: m.city,
  zip_code: m.zip_code,
}
type Field = keyof typeof names
type Found = Readonly<Record<Field, string | null>>

// In the order of the form.
const fields: readonly Field[] = ['company_name', 'address1', 'city', 'zip_code']

type Props = {
  values: Readonly<Record<Field, string | null>> & {
    readonly vat_number: string | null
    readonly country_id: number | null
  }
  onFill: (field: Field, value: string) => void
}

type State =
  | { kind: 'idle' }
  | { kind: 'asking' }
  | { kind: 'filled' }
  /** The person decides between the tax office's data and the form. */
  | { kind: 'differs'; found: Found; by: readonly Field[] }
  | { kind: 'failed'; why: string }

const isBlank = (text: string | null) => text === null || text.trim() === ''

function useLookup({ values, onFill }: Props) {
  const client = useQueryClient()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const { vat_number, country_id } = values
  const fill = (found: Found, which: readonly Field[]) => {
    for (const field of which) onFill(field, found[field] ?? '')
  }
  const take = (found: Found) => {
    const answered = fields.filter((field) => !isBlank(found[field]))
    fill(
      found,
      answered.filter((field) => isBlank(values[field])),
    )
    const by = answered.filter((field) => !isBlank(values[field]) && values[field] !== found[field])
    setState(by.length > 0 ? { kind: 'differs', found, by } : { kind: 'filled' })
  }
  return {
    state,
    canAsk: !isBlank(vat_number) && country_id !== null,
    ask: () => {
      setState({ kind: 'asking' })
      const payload = { country_id: country_id ?? 0, vat_number: vat_number ?? '' }
      client
        .fetchQuery({ ...action('client-entities', 'lookupCompany', { payload }), staleTime: 0 })
        .then(take, (error: unknown) => setState({ kind: 'failed', why: asFailure(error).message }))
    },
    replace: (found: Found, by: readonly Field[]) => {
      fill(found, by)
      setState({ kind: 'filled' })
    },
    keep: () => setState({ kind: 'filled' }),
  }
}

/** Fills in a company by its VAT number; typed values are replaced only on request. */
export function CompanyLookup(props: Props) {
  const { state, canAsk, ask, replace, keep } = useLookup(props)
  return (
    <div className={classes.lookup}>
      <div className={classes.ask}>
        <Button
          size="xs"
          variant="default"
          disabled={!canAsk}
          loading={state.kind === 'asking'}
          onClick={ask}
        >
          {m.company_lookup()}
        </Button>
        <span role="status" className="quiet">
          {state.kind === 'filled' ? m.company_lookup_done() : !canAsk && m.company_lookup_needs()}
        </span>
      </div>
      <Refusal>{state.kind === 'failed' ? state.why : undefined}</Refusal>
      {state.kind === 'differs' && (
        <Suspense>
          <CompanyDiffers
            names={state.by.map((field) => [names[field](), state.found[field] ?? ''])}
            onKeep={keep}
            onReplace={() => replace(state.found, state.by)}
          />
        </Suspense>
      )}
    </div>
  )
}
