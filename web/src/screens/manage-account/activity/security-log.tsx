import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { securityLogQuery } from '../../../api/queries/security.ts'
import { Pending, RowBones } from '../../../components/loaded.tsx'
import { When } from '../../../components/when.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { SectionBody, SectionFoot, SectionList, SectionRow } from '../../../ui/section.tsx'
import classes from '../manage-account.module.css'
import { aboutInWords } from './act-words.ts'
import { eventInWords } from './event-words.ts'

/** Sign-in events and changes of the account, newest first. */
export function SecurityLogBody() {
  const query = useInfiniteQuery(securityLogQuery)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  if (!data)
    return (
      <Pending query={query}>
        <RowBones rows={4} />
      </Pending>
    )
  const events = data.pages.flatMap((page) => page.events)
  if (events.length === 0)
    return (
      <SectionBody>
        <p>{m.log_empty()}</p>
      </SectionBody>
    )
  return (
    <>
      <SectionList label={m.account_log()}>
        {events.map((event) => (
          <SectionRow key={event.id} title={eventInWords(event)} text={aboutInWords(event)}>
            <span className={classes.when}>
              <When moment={event.at} />
            </span>
          </SectionRow>
        ))}
      </SectionList>
      {hasNextPage && (
        <SectionFoot>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {m.show_older()}
          </Button>
        </SectionFoot>
      )}
    </>
  )
}
