import { Button } from '@mantine/core'
import type { dataExports } from '@portico/contract/calls/account/account.ts'
import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { exportsQuery } from '../../../api/queries/account.ts'
import { inWords } from '../../../api/refusal-words.ts'
import { useCall } from '../../../api/write.ts'
import { Refusal } from '../../../components/form-foot/form-foot.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { quantity } from '../../../components/money/figures.ts'
import { When } from '../../../components/when.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { chunk } from '../../../ui/loading/chunk.ts'
import { IconFile } from '../../../ui/more-icons.tsx'
import { Section, SectionFoot, SectionList, SectionRow } from '../../../ui/section.tsx'
import classes from './copy-of-data.module.css'

type Copy = z.output<(typeof dataExports)['output']>['exports'][number]

const kilobyte = 1024

const isBeingMade = ({ status }: Copy) => status === 'waiting' || status === 'running'

/** The progress of the export, which continues while the person is away. */
function Making({ copy: { done, total } }: { copy: Copy }) {
  const words = total === 0 ? m.export_data_waiting() : m.export_data_running({ done, total })
  return (
    <div className={classes.making}>
      <progress aria-label={m.export_data_making()} max={total || 1} value={total === 0 ? undefined : done} />
      <span role="status">{words}</span>
    </div>
  )
}

const bringCopy = async (id: number) =>
  (await chunk(() => import('../../../api/files/save-export.ts'))).saveExport(id)

function ReadyRow({ copy: { id, created_at, expires_at, size } }: { copy: Copy }) {
  const [state, setState] = useState<{ kind: 'idle' | 'coming' } | { kind: 'refused'; why: string }>({
    kind: 'idle',
  })
  const bring = () => {
    setState({ kind: 'coming' })
    bringCopy(id).then(
      () => setState({ kind: 'idle' }),
      (error: unknown) => setState({ kind: 'refused', why: inWords(error) }),
    )
  }
  return (
    <SectionRow
      icon={<IconFile size={18} />}
      title={
        <span>
          {m.export_data_of()} <When moment={created_at} />
        </span>
      }
      text={
        <>
          {m.export_data_size({ size: quantity(Math.ceil((size ?? 0) / kilobyte)) })}
          {expires_at && (
            <>
              {' · '}
              {m.export_data_until()} <When moment={expires_at} />
            </>
          )}
          <Refusal>{state.kind === 'refused' ? state.why : undefined}</Refusal>
        </>
      }
    >
      <Button size="xs" variant="default" loading={state.kind === 'coming'} onClick={bring}>
        {m.export_data_download()}
      </Button>
    </SectionRow>
  )
}

function Copies({ copies }: { copies: readonly Copy[] }) {
  const start = useCall(addresses.startExport)
  const [newest] = copies
  const ready = copies.filter(({ status }) => status === 'ready')
  const isMaking = newest !== undefined && isBeingMade(newest)
  const failed = newest?.status === 'failed' ? m.export_data_failed() : undefined
  return (
    <>
      {isMaking && <Making copy={newest} />}
      {ready.length > 0 && (
        <SectionList label={m.account_copy()}>
          {ready.map((copy) => (
            <ReadyRow key={copy.id} copy={copy} />
          ))}
        </SectionList>
      )}
      <SectionFoot note={<Refusal>{start.error ? inWords(start.error) : failed}</Refusal>}>
        <Button
          variant="default"
          disabled={isMaking}
          loading={start.isPending}
          onClick={() => start.mutate({})}
        >
          {m.export_data_start()}
        </Button>
      </SectionFoot>
    </>
  )
}

/** Exports all data of the account. */
export function CopyOfData() {
  const query = useQuery(exportsQuery)
  return (
    <Section id="export" title={m.account_copy()} lead={m.export_data_lead()}>
      <Loaded query={query} rows={1}>
        {({ exports }) => <Copies copies={exports} />}
      </Loaded>
    </Section>
  )
}
