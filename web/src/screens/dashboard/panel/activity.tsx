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

type Page = Output<ActionOf<'panels', 'activity'>>
type Act = Page['acts'][number]

/** A page of acts, the newest or those before an act. Every opening of the tab shows what has happened since. */
const pageOf = (id: number, before: string | undefined) => ({
  ...action('panels', 'activity', { id, payload: before === undefined ? {} : { before } }),
  refetchOnMount: 'always' as const,
})

/** The sentence of an act; a guest does not read between which workspaces a panel was moved. */
const sentences: Record<Act['kind'], (change: { from: string; to: string }) => string> = {
  'panel-added': () => m.panel_act_added(),
  'panel-renamed': (change) => m.panel_act_renamed(change),
  'panel-moved': (change) => (change.to === '' ? m.panel_act_moved_elsewhere() : m.panel_act_moved(change)),
  'panel-plan-asked': (change) => m.panel_act_plan_asked(change),
  'panel-plan-changed': (change) => m.panel_act_plan_changed(change),
  'panel-plan-refused': (change) => m.panel_act_plan_refused(change),
  'panel-suspended': () => m.panel_act_suspended(),
  'panel-stopped': ({ to: reason }) =>
    reason === '' ? m.panel_act_stopped() : m.panel_act_stopped_for({ reason }),
  'panel-resumed': () => m.panel_act_resumed(),
  'panel-connected': () => m.panel_act_connected(),
  'server-started': ({ to }) => m.panel_act_server_started({ to }),
  'server-stopped': ({ to }) => m.panel_act_server_stopped({ to }),
  'server-restarted': ({ to }) => m.panel_act_server_restarted({ to }),
  'panel-deleted': () => m.panel_act_deleted(),
}

/** The author of an event. The creation of an old panel was not logged, so its author is not known. */
function authorOf({ kind, by }: Act): string | undefined {
  if (by === null) return kind === 'panel-added' ? undefined : m.panel_by_itself()
  return authorInWords(by)
}

/** The activity of the panel and its connections, newest first. */
export function Activity({ panel }: { panel: number }) {
  const [older, setOlder] = useState<readonly string[]>([])
  const pages = useQueries({ queries: [undefined, ...older].map((before) => pageOf(panel, before)) })
  const acts = pages.flatMap(({ data }) => data?.acts ?? [])
  const last = pages.at(-1)
  const before = acts.at(-1)?.id
  return (
    <div className={`card ${classes.acts}`}>
      <SectionList label={m.panel_activity()}>
        {acts.map((act) => (
          <SectionRow
            key={act.id}
            title={sentences[act.kind]({ from: act.from ?? '', to: act.to ?? '' })}
            text={authorOf(act)}
          >
            <span className={classes.when}>
              <When moment={act.at} />
            </span>
          </SectionRow>
        ))}
      </SectionList>
      {last && !last.data && (
        <Pending query={last}>
          <RowBones rows={4} />
        </Pending>
      )}
      {last?.data?.more && before !== undefined && (
        <SectionFoot>
          <Button variant="default" onClick={() => setOlder([...older, before])}>
            {m.panel_older()}
          </Button>
        </SectionFoot>
      )}
    </div>
  )
}
