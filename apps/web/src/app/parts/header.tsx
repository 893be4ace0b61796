import { ActionIcon, Box, Group } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { AskButton } from '#web/modules/chat/ask-us.tsx'
import { openMenuSearch } from '#web/modules/search/menu-search-store.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import classes from './header.module.css'
import { LanguageSwitch } from './language-switch.tsx'
import { NotificationsBell } from './notifications-bell.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'

export function Header() {
  const { t } = useTranslation('navigation')
  const { user } = useSession()
  return (
    <header className={classes.header}>
      <Breadcrumbs />
      <Group gap={2} wrap="nowrap" className={classes.tools}>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          size={44}
          onClick={openMenuSearch}
          aria-label={`${t('search')} (Ctrl + K)`}
          visibleFrom="md"
        >
          <IconSearch size={20} aria-hidden />
        </ActionIcon>
        {user?.role.name === applicantRole && (
          <Box visibleFrom="md">
            <AskButton />
          </Box>
        )}
        <LanguageSwitch />
        <ThemeSwitch />
        <NotificationsBell />
        <UserMenu />
      </Group>
    </header>
  )
}
