import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useUser, waitingQuery } from '../../api/queries/user.ts'
import { languageNames, languages, useLanguage } from '../../stores/language.ts'
import { closeOverlay, openOverlay } from '../../stores/overlay.ts'
import { toggleTheme } from '../../stores/theme.ts'
import { m } from '../../texts/compiled/messages.js'
import { type DeskRouteName, deskHref, deskRoutes, isReadBy, portal } from '../routes.ts'
import classes from './navigation.module.css'
import { signOut, useChooseLanguage } from './session.tsx'

type Group = { readonly name?: () => string; readonly pages: readonly DeskRouteName[] }

/** The areas of the desk, in the order of the navigation. Areas of which a role reads nothing are absent. */
const groups: readonly Group[] = [
  { pages: ['home', 'alerts', 'requests', 'clients', 'panels', 'tickets'] },
  {
    name: m.desk_group_money,
    pages: ['documents', 'payments', 'dunning', 'closes', 'bank', 'e-factura', 'reports', 'accounting'],
  },
  { name: m.desk_group_catalogue, pages: ['plans', 'policies', 'vat-rates', 'rates'] },
  {
    name: m.desk_group_system,
    pages: [
      'checks',
      'settings',
      'engines',
      'company',
      'brand',
      'texts',
      'announcements',
      'letters',
      'jobs',
      'departments',
      'staff',
      'log',
    ],
  },
]

/** Keys have the same labels in every language. */
const searchKey = '/'

/** The pages of an area that the reader reads, under its name. */
function Area({ name, pages }: Group) {
  const { staff } = useUser()
  const read = pages.filter((page) => isReadBy(staff?.role, page))
  if (read.length === 0) return null
  return (
    <div className={classes.areas}>
      {name && <p className={classes.group}>{name()}</p>}
      {read.map((page) => (
        <Link
          key={page}
          to={deskHref(page)}
          activeOptions={{ exact: page === 'home' }}
          onClick={closeOverlay}
        >
          {deskRoutes[page].title()}
        </Link>
      ))}
    </div>
  )
}

/** Opens the notifications, and says how many are unread. */
function Bell() {
  const count = useQuery(waitingQuery).data?.notifications ?? 0
  return (
    <button type="button" onClick={() => openOverlay({ kind: 'notifications' })}>
      {m.notifications()}
      {count > 0 && (
        <span className={classes.unread}>
          <span aria-hidden="true">{count}</span>
          <span className="unseen">{m.notifications_unread({ count })}</span>
        </span>
      )}
    </button>
  )
}

/** The navigation on the left, or in the drawer of phones. */
export function Navigation() {
  const { staff } = useUser()
  const language = useLanguage()
  const chooseLanguage = useChooseLanguage()
  return (
    <nav className={classes.list} aria-label={m.desk()}>
      <div className={classes.pages}>
        <button type="button" onClick={() => openOverlay({ kind: 'palette' })}>
          {m.search()}
          <kbd>{searchKey}</kbd>
        </button>
        <Bell />
        {groups.map(({ name, pages }) => (
          <Area key={pages[0]} {...(name && { name })} pages={pages} />
        ))}
      </div>
      <div className={classes.own}>
        <p className={classes.person}>{staff?.display_name}</p>
        <a href={portal['manage-account']}>{m.manage_account_title()}</a>
        <button type="button" onClick={toggleTheme}>
          {m.theme_toggle()}
        </button>
        {languages
          .filter((one) => one !== language)
          .map((one) => (
            <button key={one} type="button" lang={one} onClick={() => chooseLanguage(one)}>
              {languageNames[one]}
            </button>
          ))}
        <button type="button" onClick={() => void signOut()}>
          {m.sign_out()}
        </button>
      </div>
    </nav>
  )
}
