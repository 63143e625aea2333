import { Button } from '@mantine/core'
import { logoExtensions, logoLimits } from '@portico/contract/rules/brand/logo.ts'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Section, SectionBody } from '../../ui/section.tsx'
import bank from '../bank/bank.module.css'
import { contentOf } from '../verbs/content-of.ts'
import { because, VerbDialog } from '../verbs/verb-dialog.tsx'
import classes from './brand.module.css'

const accepted = logoExtensions.map((one) => `.${one}`).join(',')

function Upload({ onClose }: { onClose: () => void }) {
  const action = useAction('brands', 'setLogo')
  const [file, setFile] = useState<File>()
  const done = () => {
    onClose()
    toast(m.desk_brand_saved())
  }
  const send = async (reason: string) => {
    if (file === undefined) return
    const payload = { filename: file.name, content: await contentOf(file) }
    action.mutate({ payload, headers: because(reason) }, { onSuccess: done })
  }
  return (
    <VerbDialog
      title={m.desk_brand_logo_set()}
      text={m.desk_brand_logo_text({
        size: logoLimits.bytes / 1024,
        least: logoLimits.leastSide,
        most: logoLimits.mostSide,
      })}
      verb={m.desk_brand_logo_verb()}
      action={action}
      onConfirm={(reason) => void send(reason)}
      onClose={onClose}
    >
      <label className={bank.file}>
        {m.desk_brand_file()}
        <input
          type="file"
          required
          accept={accepted}
          onChange={({ currentTarget: { files } }) => {
            action.reset()
            setFile(files?.[0])
          }}
        />
      </label>
    </VerbDialog>
  )
}

function Remove({ onClose }: { onClose: () => void }) {
  const action = useAction('brands', 'removeLogo')
  const done = () => {
    onClose()
    toast(m.desk_brand_saved())
  }
  return (
    <VerbDialog
      title={m.desk_brand_logo_remove()}
      text={m.desk_brand_logo_remove_text()}
      verb={m.remove()}
      danger
      action={action}
      onConfirm={(reason) => action.mutate({ payload: {}, headers: because(reason) }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}

/** The operator's logo, which administrators set. */
export function LogoSection({ brand: { logo, logo_prints } }: { brand: Row<'brands'> }) {
  const [open, setOpen] = useState<'set' | 'remove'>()
  const close = () => setOpen(undefined)
  return (
    <Section id="logo" title={m.desk_brand_logo()} lead={m.desk_brand_logo_lead()}>
      <SectionBody>
        <div className={classes.logo}>
          {logo === null ? (
            <p className="quiet">{m.desk_brand_logo_none()}</p>
          ) : (
            <img src={logo} alt={m.desk_brand_logo()} />
          )}
          <Button variant="default" size="xs" onClick={() => setOpen('set')}>
            {m.desk_brand_logo_set()}
          </Button>
          {logo !== null && (
            <Button variant="default" size="xs" onClick={() => setOpen('remove')}>
              {m.remove()}
            </Button>
          )}
        </div>
        {logo !== null && !logo_prints && <p className="quiet">{m.desk_brand_logo_unprinted()}</p>}
      </SectionBody>
      {open === 'set' && <Upload onClose={close} />}
      {open === 'remove' && <Remove onClose={close} />}
    </Section>
  )
}
