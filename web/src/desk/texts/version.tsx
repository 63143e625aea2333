import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'
import { Markdown } from './markdown.ts'
import { kindNames } from './publish-text.tsx'

/** The name of a version, which opens its text in the language of the reader. */
export function Version({ text }: { text: Row<'published-texts'> }) {
  const [open, setOpen] = useState(false)
  const language = useLanguage()
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        {text.version}
      </Button>
      {open && (
        <Modal
          opened
          onClose={() => setOpen(false)}
          title={`${kindNames[text.kind]()} ${text.version}`}
          closeButtonProps={{ 'aria-label': m.close() }}
        >
          <Suspense>
            <Markdown source={language === 'ro' ? text.body_ro : text.body_en} />
          </Suspense>
        </Modal>
      )}
    </>
  )
}
