import { Group } from '@mantine/core'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { inLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconReceipt } from '../../ui/icons.tsx'
import { Announce, audienceNames } from '../announcements/announce.tsx'
import { lettersInWords, SendLetters } from '../announcements/by-letter.tsx'
import { EndAnnouncement } from '../announcements/end.tsx'
import { useRows } from '../lists/use-rows.ts'

const columns = (): Column<Row<'announcements'>>[] => [
  {
    name: 'title',
    label: m.desk_news_title(),
    cell: ({ title_en, title_ro }) => inLanguage(title_en, title_ro),
  },
  {
    name: 'from',
    label: m.desk_news_from(),
    sort: 'starts_at',
    cell: ({ starts_at }) => <When moment={starts_at} />,
  },
  {
    name: 'until',
    label: m.desk_news_until(),
    cell: ({ ends_at }) => (ends_at === null ? m.desk_news_open() : <When moment={ends_at} />),
  },
  {
    name: 'audience',
    label: m.desk_news_audience(),
    cell: ({ audience, of }) => [audienceNames[audience](), ...(of === null ? [] : [of])].join(': '),
  },
  {
    name: 'kind',
    label: m.desk_news_kind(),
    cell: ({ about_service }) => (about_service ? m.desk_news_service() : m.desk_news_news()),
  },
  { name: 'letters', label: m.desk_news_by_mail(), cell: lettersInWords },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (row) => (
      <Group gap={8}>
        <SendLetters row={row} />
        <EndAnnouncement row={row} />
      </Group>
    ),
  },
]

/** What is announced to customers. */
export default function AnnouncementsScreen() {
  const rows = useRows('announcements', {
    order: '-starts_at',
    sorts: ['starts_at'],
    moves: ({ letters_asked_at, letters_done_at }) => letters_asked_at !== null && letters_done_at === null,
  })
  return (
    <>
      <PageHead title={m.desk_news_page()} lead={m.desk_news_lead()}>
        <Announce />
      </PageHead>
      <ResourceTable
        caption={m.desk_news_page()}
        columns={columns()}
        {...rows}
        empty={
          <Empty icon={<IconReceipt size={20} />} title={m.desk_news_none()} text={m.desk_news_none_text()} />
        }
        tools={<span />}
      />
    </>
  )
}
