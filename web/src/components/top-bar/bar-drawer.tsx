import { Drawer } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { fullName, useUser } from '../../api/queries/user.ts'
import { languageNames, languages, useLanguage } from '../../stores/language.ts'
import { closeOverlay, openOverlay } from '../../stores/overlay.ts'
import { toggleTheme } from '../../stores/theme.ts'
import { m } from '../../texts/compiled/messages.js'
import { useChooseLanguage, useSignOut } from '../person.ts'
import '../../ui/styles/dialog.ts'
import { accountLinks } from './account-links.ts'
import { BalanceChip } from './balance-chip.tsx'
import classes from './bar-drawer.module.css'
import { SentDot } from './counts.tsx'

/** The drawer on phones: everything that does not fit into the bar. */
export function BarDrawer() {
  const user = useUser()
  const isWorking = !user.staff?.needs_second_factor
  const chosen = useLanguage()
  const chooseLanguage = useChooseLanguage()
  const signOut = useSignOut()
  const leave = () => {
    closeOverlay()
    void signOut()
  }
  return (
    <Drawer
      opened
      onClose={closeOverlay}
      size={300}
      title={fullName(user)}
      closeButtonProps={{ 'aria-label': m.close() }}
    >
      <div className={classes.list}>
        {user.staff === null && <BalanceChip isNamed onFollow={closeOverlay} />}
        {isWorking && (
          <button type="button" onClick={() => openOverlay({ kind: 'palette' })}>
            {m.search()}
          </button>
        )}
        {user.staff === null && (
          <button type="button" onClick={() => openOverlay({ kind: 'team' })}>
            {m.share_access()} <SentDot />
          </button>
        )}
        <button type="button" onClick={toggleTheme}>
          {m.theme_toggle()}
        </button>
        <hr />
        {accountLinks(user).map(({ to, name }) => (
          <Link key={to} to={to} onClick={closeOverlay}>
            {name()}
          </Link>
        ))}
        <hr />
        {languages.map((code) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={code === chosen}
            onClick={() => chooseLanguage(code)}
          >
            {languageNames[code]}
          </button>
        ))}
        <hr />
        <button type="button" onClick={leave}>
          {m.sign_out()}
        </button>
      </div>
    </Drawer>
  )
}
