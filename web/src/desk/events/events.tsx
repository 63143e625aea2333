import { Button } from '@mantine/core'
import { useState } from 'react'
import { LoadFailure } from '../../components/load-failure.tsx'
import { exact } from '../../components/moments.ts'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { Section, SectionBody } from '../../ui/section.tsx'
import type { Client } from '../client/words.tsx'
import classes from './events.module.css'
import { useEvents } from './sources.tsx'

/** The events of each kind that are read at first, and at once; and the most, which is the largest page. */
const [first, most] = [10, 100]

/** Everything that happened with a client, the newest first, whatever its kind. */
export function Events({ client }: { client: Client }) {
  const [size, setSize] = useState(first)
  const { line, error, refetch } = useEvents(client, size)
  return (
    <Section id="events" title={m.desk_events_title()} lead={m.desk_events_lead()}>
      {line === undefined && (
        <SectionBody>
          {error ? <LoadFailure error={error} onRetry={refetch} /> : <Bone height={160} />}
        </SectionBody>
      )}
      {line?.events.length === 0 && (
        <SectionBody>
          <p>{m.desk_events_none()}</p>
        </SectionBody>
      )}
      {line && line.events.length > 0 && (
        <ol className={classes.line} aria-label={m.desk_events_title()}>
          {line.events.map(({ key, at, kind, text, state }) => (
            <li key={key}>
              <span className={classes.at} title={exact(at, language())}>
                <When moment={at} />
              </span>
              <span className={classes.kind}>{kind}</span>
              <span className={classes.text}>{text}</span>
              {state}
            </li>
          ))}
        </ol>
      )}
      {line && !line.isWhole && size < most && (
        <div className={classes.more}>
          <Button variant="default" size="xs" onClick={() => setSize(most)}>
            {m.desk_events_more()}
          </Button>
        </div>
      )}
    </Section>
  )
}
