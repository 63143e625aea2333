import { Button } from '@mantine/core'
import { fileLocation } from '@portico/contract/calls/file-locations.ts'
import { base } from '@portico/contract/wire.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { save } from '../../api/files/download.ts'
import { answer } from '../../api/http.ts'
import { inWords } from '../../api/refusal-words.ts'
import type { Row } from '../../api/rows.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Modal } from '../../ui/modal/modal.tsx'
import { IconFile } from '../../ui/more-icons.tsx'
import { size } from '../../ui/size.ts'
import classes from './files.module.css'

type File = Row<'ticket-files'>

const fetched = async ({ id }: File): Promise<Blob> => {
  const path = base + fileLocation.download.replace(':id', String(id))
  return (await answer(path, { accept: '*/*' })).blob()
}

/** The page may show pictures that are part of it, and no others: so this one becomes part of it. */
const asText = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    // A data URL is read as text.
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** Larger pictures are fetched when they are asked for. */
const mostAtOnce = 1_000_000

const isPicture = ({ mime, scan_status }: File): boolean =>
  mime.startsWith('image/') && scan_status !== 'infected'

/** A small picture, which opens the large one. */
function Thumbnail({ file, onShow }: { file: File; onShow: (picture: string) => void }) {
  const { data } = useQuery({
    queryKey: ['ticket-files', file.id, 'picture'],
    queryFn: async () => asText(await fetched(file)),
    staleTime: 'static',
    retry: false,
  })
  if (data === undefined) return <IconFile size={20} aria-hidden="true" />
  return (
    <button
      type="button"
      className={classes.thumbnail}
      aria-label={m.file_show_one({ name: file.filename })}
      onClick={() => onShow(data)}
    >
      <img src={data} alt="" />
    </button>
  )
}

function FileItem({ file, onShow }: { file: File; onShow: (picture: string) => void }) {
  const [isComing, setIsComing] = useState(false)
  const { filename } = file
  const isSmall = isPicture(file) && file.size <= mostAtOnce
  const bring = async (use: (blob: Blob) => unknown) => {
    setIsComing(true)
    try {
      await use(await fetched(file))
    } catch (error) {
      toast(m.file_failed({ name: filename }), inWords(error), 'bad')
    }
    setIsComing(false)
  }
  return (
    <li className={classes.file}>
      {isSmall ? <Thumbnail file={file} onShow={onShow} /> : <IconFile size={20} aria-hidden="true" />}
      <span className={classes.filename}>
        {filename}
        <span className="quiet"> {size(file.size)}</span>
      </span>
      {file.scan_status === 'infected' ? (
        <span className={classes.fault}>{m.file_infected()}</span>
      ) : (
        <span className={classes.fileButtons}>
          {isPicture(file) && !isSmall && (
            <Button
              size="xs"
              variant="default"
              disabled={isComing}
              aria-label={m.file_show_one({ name: filename })}
              onClick={() => void bring(async (blob) => onShow(await asText(blob)))}
            >
              {m.file_show()}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            disabled={isComing}
            aria-label={m.file_download({ name: filename })}
            onClick={() => void bring((blob) => save(blob, filename))}
          >
            {m.download()}
          </Button>
        </span>
      )}
    </li>
  )
}

/** The files of a message. Pictures can be viewed; everything else is downloaded. */
export function Files({ files }: { files: readonly File[] }) {
  const [shown, setShown] = useState<{ name: string; picture: string }>()
  return (
    <>
      <ul className={classes.files} aria-label={m.files_attached()}>
        {files.map((file) => (
          <FileItem
            key={file.id}
            file={file}
            onShow={(picture) => setShown({ name: file.filename, picture })}
          />
        ))}
      </ul>
      {shown && (
        <Modal
          opened
          size="xl"
          title={shown.name}
          closeButtonProps={{ 'aria-label': m.close() }}
          onClose={() => setShown(undefined)}
        >
          <img className={classes.picture} src={shown.picture} alt={shown.name} />
        </Modal>
      )}
    </>
  )
}
