import { textKinds } from '@portico/contract/resources/published-texts.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconReceipt } from '../../ui/icons.tsx'
import { useRows } from '../lists/use-rows.ts'
import { kindNames, PublishText } from '../texts/publish-text.tsx'
import { Version } from '../texts/version.tsx'

const columns = (): Column<Row<'published-texts'>>[] => [
  {
    name: 'kind',
    label: m.desk_texts_kind(),
    cell: ({ kind }) => kindNames[kind](),
  },
  { name: 'version', label: m.desk_texts_version(), cell: (text) => <Version text={text} /> },
  {
    name: 'from',
    label: m.desk_texts_from(),
    sort: 'from_day',
    cell: ({ from_day }) => dayInWords(from_day, language()),
  },
  {
    name: 'published',
    label: m.column_date(),
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
]

/** The versions of the terms and of the privacy policy. */
export default function TextsScreen() {
  const rows = useRows('published-texts', { order: '-from_day', sorts: ['from_day'] })
  return (
    <>
      <PageHead title={m.desk_texts_title()} lead={m.desk_texts_lead()}>
        <PublishText published={rows.query.data?.items.map(({ kind }) => kind) ?? textKinds} />
      </PageHead>
      <ResourceTable
        caption={m.desk_texts_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconReceipt size={20} />}
            title={m.desk_texts_none()}
            text={m.desk_texts_none_text()}
          />
        }
        tools={<span />}
      />
    </>
  )
}
