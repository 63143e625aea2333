import { useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { monthInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { CloseVat } from '../closes/vat.tsx'
import { CloseMonth } from '../closes/verbs.tsx'
import { WaitingClients } from '../closes/waiting.tsx'

/** Whether the last month is closed, and who waits for a bill of it. */
export default function ClosesScreen() {
  const query = useQuery(list('month-closes'))
  const [close] = query.data?.items ?? []
  return (
    <>
      <PageHead title={m.desk_closes_title()} lead={m.desk_closes_lead()}>
        {close && <CloseMonth close={close} />}
      </PageHead>
      <Loaded query={query} rows={4}>
        {({ items: [found] }) =>
          found !== undefined && found.waiting > 0 ? (
            <>
              <CloseVat close={found} />
              <WaitingClients close={found} />
            </>
          ) : (
            <div className="card">
              <Empty
                icon={<IconCheck size={20} />}
                title={
                  found
                    ? m.desk_close_closed({ month: monthInWords(found.from_day, language()) })
                    : m.desk_close_no_company()
                }
                text={found && m.desk_close_closed_text()}
              />
            </div>
          )
        }
      </Loaded>
    </>
  )
}
