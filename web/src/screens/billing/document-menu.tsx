import { Menu } from '@mantine/core'
import { isUnpaidProforma } from '../../components/money/document-words.ts'
import { useSaveDocument } from '../../components/pay/save-document.ts'
import { m } from '../../texts/compiled/messages.js'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import '../../ui/styles/menu.ts'
import type { Filed } from './document-files.tsx'

/** The other files of a document, sending it to somebody, and cancelling a proforma. */
export function DocumentMenu({
  of: { document, onSend, onCancel },
  startOpen,
  children,
}: LateMenuProps<Filed>) {
  const { save } = useSaveDocument(document)
  return (
    <Menu {...useOpened(startOpen)} width={240}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('pdf')}>{m.document_pdf()}</Menu.Item>
        {document.kind !== 'proforma' && (
          <Menu.Item onClick={() => save('xml')}>{m.document_xml()}</Menu.Item>
        )}
        {document.signed_ready && <Menu.Item onClick={() => save('signed')}>{m.document_signed()}</Menu.Item>}
        <Menu.Item onClick={onSend}>{m.document_send()}</Menu.Item>
        {document.may.cancelProforma && isUnpaidProforma(document) && (
          <Menu.Item onClick={onCancel}>{m.proforma_cancel()}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
