import { Button, Progress } from '@mantine/core'
import { m } from '../../texts/compiled/messages.js'
import { IconFile } from '../../ui/more-icons.tsx'
import { size } from '../../ui/size.ts'
import '@mantine/core/styles/Progress.layer.css'
import classes from './attach.module.css'
import type { Upload, Uploads } from './uploads.ts'

function Item({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { key, name, state } = upload
  return (
    <li className={classes.item}>
      <IconFile size={20} aria-hidden="true" />
      <div className={classes.about}>
        <span className={classes.name}>{name}</span>
        {state.kind === 'sending' && (
          <Progress
            size={4}
            value={Math.round(100 * state.share)}
            attributes={{ section: { 'aria-label': m.file_sending({ name }) } }}
          />
        )}
        {state.kind === 'done' && <span className="quiet">{size(upload.size)}</span>}
        {state.kind === 'failed' && (
          <span role="alert" className={classes.fault}>
            {state.why}
          </span>
        )}
      </div>
      {state.kind === 'failed' && !state.final && (
        <Button
          size="xs"
          variant="default"
          aria-label={m.file_retry({ name })}
          onClick={() => uploads.retry(key)}
        >
          {m.retry()}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        aria-label={state.kind === 'sending' ? m.file_cancel({ name }) : m.file_remove({ name })}
        onClick={() => uploads.remove(upload)}
      >
        {state.kind === 'sending' ? m.cancel() : m.remove()}
      </Button>
    </li>
  )
}

/** The attached files with their upload progress. */
export function AttachedList({ uploads }: { uploads: Uploads }) {
  return (
    <ul className={classes.list} aria-label={m.files_attached()}>
      {uploads.all.map((upload) => (
        <Item key={upload.key} upload={upload} uploads={uploads} />
      ))}
    </ul>
  )
}
