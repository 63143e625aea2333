import { Button } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { SectionFoot } from '../../ui/section.tsx'
import classes from '../forms/form.module.css'
import { SubmitButton } from './submit-button.tsx'

/** The reason of a refusal, announced as soon as it appears. */
export function Refusal({ children }: { children: string | undefined }) {
  return <div role="alert">{children && <p className={classes.refusal}>{children}</p>}</div>
}

type Props = {
  form: { isUnsaved: boolean; isSaving: boolean; refusal: string | undefined; discard: () => void }
}

/** The end of a form: the reason of a failed save, Discard, and Save. */
export function FormFoot({ form: { isUnsaved, isSaving, refusal, discard } }: Props) {
  return (
    <SectionFoot note={<Refusal>{refusal}</Refusal>}>
      {isUnsaved && !isSaving && (
        <Button variant="default" onClick={discard}>
          {m.discard()}
        </Button>
      )}
      <SubmitButton disabled={!isUnsaved} loading={isSaving}>
        {m.save()}
      </SubmitButton>
    </SectionFoot>
  )
}
