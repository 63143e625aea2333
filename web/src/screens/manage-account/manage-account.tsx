import { useLocation } from '@tanstack/react-router'
import { type ComponentType, Suspense } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { AskBeforeLeaving } from '../../components/forms/ask-before-leaving.tsx'
import { RowBones } from '../../components/loaded.tsx'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import classes from './manage-account.module.css'
import { ProfileGroup } from './profile-group.tsx'
import { SectionNav } from './section-nav.tsx'
import { type GroupKey, groupsFor, openedBy } from './sections.ts'

const content: Record<GroupKey, ComponentType> = {
  profile: ProfileGroup,
  billing: lazily(async () => (await import('./billing/billing-group.tsx')).BillingGroup),
  'sign-in': lazily(async () => (await import('./sign-in/sign-in-group.tsx')).SignInGroup),
  activity: lazily(async () => (await import('./activity/activity-group.tsx')).ActivityGroup),
  data: lazily(async () => (await import('./data/data-group.tsx')).DataGroup),
}

/** The account page: personal data, billing, sign-in and activity, of which the anchor opens one group. */
export default function ManageAccountScreen() {
  const groups = groupsFor(useUser().staff)
  const { group, section } = openedBy(useLocation().hash, groups)
  const Content = content[group.key]
  return (
    <>
      <header className={classes.header}>
        <h1 tabIndex={-1}>{m.manage_account_title()}</h1>
      </header>
      <div className={classes.columns}>
        <SectionNav groups={groups} opened={section} />
        <div className={classes.sections}>
          <Suspense
            fallback={
              <div className="card">
                <RowBones rows={8} />
              </div>
            }
          >
            <Content key={group.key} />
          </Suspense>
        </div>
      </div>
      <AskBeforeLeaving />
    </>
  )
}
