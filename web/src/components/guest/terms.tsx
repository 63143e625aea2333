import { Checkbox } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { legal } from '@portico/contract/legal.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/checkbox.ts'

/** Acceptance of the operator's terms, with links to the documents; they open without losing the input. */
export function AcceptTerms({
  field,
}: {
  field: (name: 'terms', of: { type: 'checkbox' }) => GetInputPropsReturnType
}) {
  const [before, between, after] = m.terms_accept({ terms: '|', privacy: '|' }).split('|')
  const link = (to: string, name: string) => (
    <a href={to} target="_blank" rel="noreferrer">
      {name}
    </a>
  )
  const sentence = (
    <>
      {before}
      {link(legal.terms, m.terms())}
      {between}
      {link(legal.privacy, m.privacy())}
      {after}
    </>
  )
  return <Checkbox name="terms" label={sentence} {...field('terms', { type: 'checkbox' })} />
}
