import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { inLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { deskHref, isReadBy } from '../routes.ts'
import { type Check, filterOf, pages, states, stepStates, steps, subjectOf, worstOf } from './words.ts'

/** Leads to the page where something is mended, if the reader has one. */
function OpenPage({ about, of }: { about: string; of: string }) {
  const { staff } = useUser()
  const page = pages[about]
  if (page === undefined || !isReadBy(staff?.role, page)) return null
  return (
    <Button
      renderRoot={(props) => <Link {...props} to={deskHref(page)} search={filterOf(about)} />}
      variant="default"
      size="xs"
      aria-label={`${m.desk_checks_open()}: ${of}`}
    >
      {m.desk_checks_open()}
    </Button>
  )
}

/** The sentence of a check, which continues its subject in the terminal. */
function said({ words_en, words_ro }: Check): string {
  const text = inLanguage(words_en, words_ro)
  return /^(?:https?:|npm )/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

const Said = (check: Check) => <p key={check.id}>{said(check)}</p>

/** What is left of a step, and what an operator should know although it is not wrong: what a trial gives away. */
const isTold = ({ about, state }: Check) => state !== 'good' || about === 'trial'

/** The steps of the set-up, with what is left of each. */
export function Steps({ checks }: { checks: readonly Check[] }) {
  return (
    <Section id="steps" title={m.desk_checks_steps()} lead={m.desk_checks_steps_lead()}>
      <SectionList label={m.desk_checks_steps()}>
        {steps.map(({ name, text, about }) => {
          const worst = worstOf(checks, about)
          const { tone, name: state } = stepStates[worst?.state ?? 'good']
          const told = checks.filter((check) => about.includes(check.about) && isTold(check))
          const isDone = told.every((check) => check.state === 'good')
          return (
            <SectionRow
              key={name()}
              title={name()}
              text={
                <>
                  {isDone && <p>{text()}</p>}
                  {told.map(Said)}
                </>
              }
            >
              <Status tone={tone}>{state()}</Status>
              <OpenPage about={(isDone ? undefined : worst?.about) ?? about[0] ?? ''} of={name()} />
            </SectionRow>
          )
        })}
      </SectionList>
    </Section>
  )
}

/** The checks that belong to no step, the worst first. */
export function OtherChecks({ checks }: { checks: readonly Check[] }) {
  const others = checks.filter(({ about }) => !steps.some((step) => step.about.includes(about)))
  return (
    <Section id="others" title={m.desk_checks_others()}>
      <SectionList label={m.desk_checks_others()}>
        {others.map((check) => (
          <SectionRow key={check.id} title={subjectOf(check.about)} text={said(check)}>
            <Status tone={states[check.state].tone}>{states[check.state].name()}</Status>
            <OpenPage about={check.about} of={subjectOf(check.about)} />
          </SectionRow>
        ))}
      </SectionList>
    </Section>
  )
}
