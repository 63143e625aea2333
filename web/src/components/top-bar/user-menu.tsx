import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { fullName, useUser } from '../../api/queries/user.ts'
import { useWorkspaces } from '../../api/queries/workspaces.ts'
import { languageNames, languages, useLanguage } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconCheck } from '../../ui/icons.tsx'
import { type LateMenuProps, useOpened } from '../../ui/loading/late-menu.tsx'
import { Choices } from '../many/choices.tsx'
import { useChooseLanguage, useChooseWorkspace, useSignOut } from '../person.ts'
import '../../ui/styles/menu.ts'
import { accountLinks } from './account-links.ts'

const ticked = (yes: boolean) => (yes ? <IconCheck size={16} aria-hidden="true" /> : null)

function WorkspaceSubmenu() {
  const { all, current } = useWorkspaces()
  const choose = useChooseWorkspace()
  return (
    <Menu.Sub position="left-start">
      <Menu.Sub.Target>
        <Menu.Sub.Item>{m.workspace()}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <Choices items={all} ticked={current?.id} hasSearch={false} onChoose={({ id }) => choose(id)} />
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}

/** The menu of the person: account pages, workspaces, language, sign-out. */
export function UserMenu({ startOpen, children }: LateMenuProps<null>) {
  const user = useUser()
  const navigate = useNavigate()
  const chosen = useLanguage()
  const chooseLanguage = useChooseLanguage()
  const signOut = useSignOut()
  const [account, ...others] = accountLinks(user)
  const item = ({ to, name }: ReturnType<typeof accountLinks>[number]) => (
    <Menu.Item key={to} onClick={() => navigate({ to })}>
      {name()}
    </Menu.Item>
  )
  return (
    <Menu {...useOpened(startOpen)} width={232}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {fullName(user)}
          <br />
          {user.email}
        </Menu.Label>
        {account && item(account)}
        {user.staff === null && <WorkspaceSubmenu />}
        {others.map(item)}
        <Menu.Divider />
        <Menu.Label>{m.language()}</Menu.Label>
        {languages.map((code) => (
          <Menu.Item
            key={code}
            lang={code}
            rightSection={ticked(code === chosen)}
            onClick={() => chooseLanguage(code)}
          >
            {languageNames[code]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={signOut}>{m.sign_out()}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
