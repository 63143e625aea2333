import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { ActionOf, Output } from '../../../api/actions.ts'
import { action } from '../../../api/query.ts'
import { Pending, RowBones } from '../../../components/loaded.tsx'
import { When } from '../../../components/when.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { SectionFoot, SectionList, SectionRow } from '../../../ui/section.tsx'
import classes from './activity.module.css'
import { authorInWords } from './author.ts'

type Page = Output<ActionOf<'panels', 'audit'>>

const pageOf = (id: number, cursor: string | undefined) => ({
  ...action('panels', 'audit', { id, payload: cursor === undefined ? {} : { cursor } }),
  refetchOnMount: 'always' as const,
})

function Act({ act: { by, action: done, target, at, ip } }: { act: Page['items'][number] }) {
  return (
    <SectionRow
      title={[done, target].filter(Boolean).join(': ')}
      text={[authorInWords(by), ip].filter(Boolean).join(' · ')}
    >
      <span className={classes.when}>
        <When moment={at} />
      </span>
    </SectionRow>
  )
}

/** The engine's audit of the panel, newest first. */
export function EngineAudit({ panel }: { panel: number }) {
  const [older, setOlder] = useState<readonly string[]>([])
  const pages = useQueries({ queries: [undefined, ...older].map((cursor) => pageOf(panel, cursor)) })
  const acts = pages.flatMap(({ data }) => data?.items ?? [])
  const last = pages.at(-1)
  const next = last?.data?.next
  return (
    <section className={`card ${classes.acts} ${classes.inside}`} aria-label={m.audit_title()}>
      <h2 className={classes.title}>{m.audit_title()}</h2>
      {last?.data && acts.length === 0 && <p className={classes.none}>{m.audit_none()}</p>}
      <SectionList label={m.audit_title()}>
        {acts.map((act) => (
          <Act key={act.id} act={act} />
        ))}
      </SectionList>
      {last && !last.data && (
        <Pending query={last}>
          <RowBones rows={4} />
        </Pending>
      )}
      {next && (
        <SectionFoot>
          <Button variant="default" onClick={() => setOlder([...older, next])}>
            {m.panel_older()}
          </Button>
        </SectionFoot>
      )}
    </section>
  )
}
