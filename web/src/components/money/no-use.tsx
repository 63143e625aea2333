import type { Narrowing } from '../../api/queries/usage.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconChart } from '../../ui/more-icons.tsx'

/** Shown when there is no usage: in the period, or under the filters. */
export function NoUse({ narrowing: { project_id, panel_id, resource } }: { narrowing: Narrowing }) {
  const isNarrowed = [project_id, panel_id, resource].some((value) => value !== undefined)
  const text = isNarrowed ? m.usage_none_text() : m.usage_first_text()
  return <Empty icon={<IconChart size={20} />} title={m.usage_none_title()} text={text} />
}
