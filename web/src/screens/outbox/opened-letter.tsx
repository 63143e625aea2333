import * as addresses from '@portico/contract/calls/addresses.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { exact } from '../../components/moments.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { IconFile } from '../../ui/more-icons.tsx'
import classes from './outbox.module.css'

/** The letter as a mail program shows it; its links replace the whole page. */
const framed = (html: string) => html.replace('<head>', '<head><base target="_top">')

/** A sandbox for the letter: no scripts, no forms; links open only on a click. */
function Frame({ title, html }: { title: string; html: string }) {
  const [height, setHeight] = useState(480)
  const fit = ({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) =>
    setHeight(currentTarget.contentDocument?.documentElement.scrollHeight ?? 480)
  return (
    <iframe
      className={`card ${classes.frame}`}
      title={title}
      // The same origin only lets this page read its height, because the frame runs no script.
      sandbox="allow-same-origin allow-top-navigation-by-user-activation"
      srcDoc={framed(html)}
      style={{ height }}
      onLoad={fit}
    />
  )
}

const fileAt = (id: number, name: string) =>
  addresses.outboxFile.path.replace(':id', String(id)).replace(':name', encodeURIComponent(name))

/** One letter, complete. */
export function OpenedLetter({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['outbox', id],
    queryFn: ({ signal }) => call(addresses.outboxLetter, { id: String(id) }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <Link to={href('outbox')} search={{}} className={classes.back}>
        {m.outbox_all()}
      </Link>
      {data === undefined && <h1 className="unseen">{m.outbox_title()}</h1>}
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <Bone height={480} />}
      {data && (
        <>
          <div>
            <h1 tabIndex={-1} lang={data.language}>
              {data.subject}
            </h1>
            <p className={`quiet ${classes.to}`}>
              {m.outbox_to({ email: data.to, when: exact(data.created_at, language()) })}
            </p>
          </div>
          {data.files.length > 0 && (
            <ul className={classes.files} aria-label={m.files_attached()}>
              {data.files.map((name) => (
                <li key={name} className={classes.file}>
                  <IconFile size={18} aria-hidden="true" />
                  <a href={fileAt(id, name)} download={name}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          )}
          <Frame title={data.subject} html={data.html} />
        </>
      )}
    </>
  )
}
