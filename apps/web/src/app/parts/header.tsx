import { ActionIcon, Group } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { openMenuSearch } from '#web/modules/search/menu-search-store.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import classes from './header.module.css'
import { LanguageSwitch } from './language-switch.tsx'
import { NotificationsBell } from './notifications-bell.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { UserMenu } from './user-menu.tsx'

const AskUs = lazyPart(() => import('#web/modules/chat/ask-us.tsx'))

export function Header() {
  const { t } = useTranslation('navigation')
  const { user, may } = useSession()
  const asksUs = user?.role.name === applicantRole && may('private-chat')
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
        {asksUs && (
          <Suspense>
            <AskUs />
          </Suspense>
        )}
        <LanguageSwitch />
        <ThemeSwitch />
        <NotificationsBell />
        <UserMenu />
      </Group>
    </header>
  )
}
