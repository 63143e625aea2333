import { Suspense } from 'react'
import { atOnce } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { Section, SectionBody } from '../../ui/section.tsx'
import { AllowBox } from './allow-box.tsx'
import { withResources, withWhole } from './choices.ts'
import { LevelField } from './level-field.tsx'
import classes from './permission-fields.module.css'
import { type Chosen as Props, WorkspaceChoices } from './workspace-choice.tsx'

const DomainChoice = lazily(async () => (await import('./domain-choice.tsx')).DomainChoice)

const ManyWorkspaces = lazily(async () => (await import('./many-workspaces.tsx')).ManyWorkspaces)

function Account({ value, onChange }: Props) {
  return (
    <Section id="account" title={m.permission_group_account()}>
      <SectionBody>
        <AllowBox
          label={m.permission_billing()}
          text={m.permission_billing_text()}
          value={value.billing}
          onChange={(billing) => onChange({ ...value, billing })}
        />
        <AllowBox
          label={m.permission_tickets()}
          text={m.permission_tickets_text()}
          value={value.tickets}
          onChange={(tickets) => onChange({ ...value, tickets })}
        />
      </SectionBody>
    </Section>
  )
}

function Workspaces(props: Props) {
  const { value, workspaces, onChange } = props
  const closed = value.my_workspaces === 'denied'
  return (
    <Section id="workspaces" title={m.permission_workspaces()}>
      <SectionBody>
        <AllowBox
          label={m.permission_workspaces()}
          text={m.permission_workspaces_text()}
          value={value.my_workspaces}
          onChange={(my_workspaces) => onChange({ ...value, my_workspaces })}
        />
        <div className={classes.below}>
          <AllowBox
            label={m.permission_add_one()}
            text={m.permission_add_text()}
            disabled={closed}
            value={value.add_panels}
            onChange={(allow) => onChange(withWhole(value, 'add_panels', allow))}
          />
          <AllowBox
            label={m.permission_delete_one()}
            text={m.permission_delete_text()}
            disabled={closed}
            value={value.delete_panels}
            onChange={(allow) => onChange(withWhole(value, 'delete_panels', allow))}
          />
        </div>
        <LevelField
          label={m.permission_resources()}
          disabled={closed}
          value={value.workspace_resources}
          onChange={(level) => onChange(withResources(value, level))}
        />
        {!closed && value.workspace_resources === 'custom' && (
          <>
            <p className="quiet">{m.permission_narrow_text()}</p>
            {workspaces.length > atOnce ? (
              <Suspense>
                <ManyWorkspaces {...props} />
              </Suspense>
            ) : (
              <WorkspaceChoices {...props} />
            )}
          </>
        )}
      </SectionBody>
    </Section>
  )
}

function Inside({ value, onChange }: Props) {
  const create = (what: 'create_domains' | 'create_email' | 'create_dev_env', label: string) => (
    <AllowBox label={label} value={value[what]} onChange={(allow) => onChange({ ...value, [what]: allow })} />
  )
  return (
    <Section id="inside" title={m.permission_group_inside()} lead={m.permission_inside_lead()}>
      <SectionBody>
        <LevelField
          full
          label={m.permission_account_access()}
          levels={['none', 'all']}
          value={value.account_access}
          onChange={(account_access) => onChange({ ...value, account_access })}
        />
        <LevelField
          full
          label={m.permission_domain_access()}
          value={value.domain_access}
          onChange={(domain_access) => onChange({ ...value, domain_access, domains: [] })}
        />
        {value.domain_access === 'custom' && (
          <Suspense>
            <DomainChoice value={value.domains} onChange={(domains) => onChange({ ...value, domains })} />
          </Suspense>
        )}
        {create('create_domains', m.permission_create_domains())}
        {create('create_email', m.permission_create_email())}
        {create('create_dev_env', m.permission_create_dev_env())}
      </SectionBody>
    </Section>
  )
}

/** Everything that an owner can share. */
export function PermissionFields(props: Props) {
  return (
    <>
      <Account {...props} />
      <Workspaces {...props} />
      <Inside {...props} />
    </>
  )
}
