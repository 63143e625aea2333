import type { ReactNode } from 'react'
import type { Row } from '../../../api/rows.ts'
import { saidInWords } from '../../../components/panel-reason.ts'
import { When } from '../../../components/when.tsx'
import { m } from '../../../texts/compiled/messages.js'
import { Copyable } from '../../../ui/copy/copyable.tsx'
import classes from './row-drawer.module.css'

/** One fact in the list of a drawer. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type Reasoned = Partial<Pick<Row<'servers'>, 'reasons'>>

/** Why something is not as it should be. */
export function ReasonsOf({ row: { reasons = [] } }: { row: Reasoned }) {
  if (reasons.length === 0) return null
  return (
    <Fact label={m.reasons_said()}>
      {reasons.map(({ code, since }) => (
        <p key={code} className={classes.reason}>
          {`${saidInWords(code)} · `}
          <When moment={since} />
        </p>
      ))}
    </Fact>
  )
}

const copied = (address: string) => (
  <Copyable key={address} value={address} label={m.copy_one({ what: address })} done={m.copied()} />
)

const used = (value: number | null | undefined, all: number | undefined) =>
  value == null ? undefined : m.figure_of({ used: value, all: all ?? '–' })

/** The figures that not every engine reports. During an upgrade an older replica reports none. */
export function ServerFigures({ server }: { server: Partial<Row<'servers'>> }) {
  const { ipv6, addresses = [], up_since } = server
  const memory = used(server.memory_used_gb, server.memory_gb)
  const disk = used(server.disk_used_gb, server.disk_gb)
  return (
    <>
      <ReasonsOf row={server} />
      {ipv6 && <Fact label={m.figure_ipv6()}>{copied(ipv6)}</Fact>}
      {addresses.length > 0 && <Fact label={m.figure_addresses()}>{addresses.map(copied)}</Fact>}
      {memory && <Fact label={m.figure_memory_used()}>{memory}</Fact>}
      {disk && <Fact label={m.figure_disk_used()}>{disk}</Fact>}
      {up_since && (
        <Fact label={m.figure_up_since()}>
          <When moment={up_since} />
        </Fact>
      )}
    </>
  )
}

type Dns = NonNullable<Row<'domains'>['dns']>

function DnsFigures({ dns: { servers, delegated, dnssec } }: { dns: Dns }) {
  return (
    <>
      <Fact label={m.figure_name_servers()}>{servers.length === 0 ? '–' : servers.map(copied)}</Fact>
      {delegated !== null && (
        <Fact label={m.figure_delegated()}>
          {delegated ? m.figure_delegated_yes() : m.figure_delegated_no()}
        </Fact>
      )}
      <Fact label={m.figure_dnssec()}>{dnssec ? m.figure_on() : m.figure_off()}</Fact>
    </>
  )
}

/** The same of a domain. */
export function DomainFigures({ domain }: { domain: Partial<Row<'domains'>> }) {
  const { certificate, dns } = domain
  return (
    <>
      <ReasonsOf row={domain} />
      {certificate && (
        <Fact label={m.figure_issuer()}>
          {certificate.renews ? m.figure_renews(certificate) : m.figure_renews_not(certificate)}
        </Fact>
      )}
      {dns && <DnsFigures dns={dns} />}
    </>
  )
}
