import { Suspense } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { RowBones } from '../../components/loaded.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { MailChoices } from './mail-choices.tsx'
import { Personal } from './personal.tsx'
import { Preferences } from './preferences.tsx'
import { useArrivalAtSection } from './section-nav.tsx'
import { hasStaffName, hasStaffNotices } from './sections.ts'

const StaffName = lazily(async () => (await import('./staff-name.tsx')).StaffName)
const StaffNotices = lazily(async () => (await import('./staff-notices.tsx')).StaffNotices)

/** The person: name, language, and what is written to them. */
export function ProfileGroup() {
  const { staff } = useUser()
  const isStaff = staff !== null
  useArrivalAtSection(true)
  return (
    <>
      {!isStaff && <Personal />}
      {hasStaffName(staff) && (
        <Suspense fallback={<RowBones rows={3} />}>
          <StaffName id={staff.id} name={staff.display_name} />
        </Suspense>
      )}
      <Preferences />
      {!isStaff && <MailChoices />}
      {hasStaffNotices(staff) && (
        <Suspense fallback={<RowBones rows={8} />}>
          <StaffNotices id={staff.id} role={staff.role} />
        </Suspense>
      )}
    </>
  )
}
