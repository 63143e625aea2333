import { useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { languageNames, languages, useLanguage } from '../../stores/language.ts'
import { closeOverlay, openOverlay } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { type DeskRouteName, deskHref, deskRoutes, isReadBy, portal } from '../routes.ts'
import classes from './navigation.module.css'
import { signOut, useChooseLanguage } from './session.tsx'

/** The areas of the desk, in the order of the navigation. */
const areas = ['home', 'alerts', 'clients', 'bank', 'e-factura', 'accounting'] as const

/** What the company sets, and the pages about the portal itself. */
const system = ['company', 'policies', 'vat-rates', 'texts', 'letters', 'jobs', 'staff', 'log'] as const

/** Keys have the same labels in every language. */
const searchKey = '/'

/** The navigation on the left, or in the drawer of phones. */
export function Navigation() {
  const { staff } = useUser()
  const isRead = (name: DeskRouteName) => isReadBy(staff?.role, name)
  const language = useLanguage()
  const chooseLanguage = useChooseLanguage()
  const { toggleColorScheme } = useMantineColorScheme()
  return (
    <nav className={classes.list} aria-label={m.desk()}>
      <div className={classes.areas}>
        <button type="button" onClick={() => openOverlay({ kind: 'palette' })}>
          {m.search()}
          <kbd>{searchKey}</kbd>
        </button>
        {areas.filter(isRead).map((name) => (
          <Link
            key={name}
            to={deskHref(name)}
            activeOptions={{ exact: name === 'home' }}
            onClick={closeOverlay}
          >
            {deskRoutes[name].title()}
          </Link>
        ))}
        <a href={portal.tickets}>{m.tickets_title()}</a>
        {system.filter(isRead).map((name) => (
          <Link key={name} to={deskHref(name)} onClick={closeOverlay}>
            {deskRoutes[name].title()}
          </Link>
        ))}
      </div>
      <div className={classes.own}>
        <p className={classes.person}>{staff?.display_name}</p>
        <a href={portal['manage-account']}>{m.manage_account_title()}</a>
        <button type="button" onClick={toggleColorScheme}>
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
