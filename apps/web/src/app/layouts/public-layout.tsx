import '#web/app/styles/all-styles.ts'
import { Anchor, Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, Outlet } from 'react-router'
import { Brand } from '#web/app/parts/brand.tsx'
import { LanguageSwitch } from '#web/app/parts/language-switch.tsx'
import { ThemeSwitch } from '#web/app/parts/theme-switch.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import classes from './public-layout.module.css'

/** Layout of public pages, without the menu. */
export default function PublicLayout() {
  const { t } = useTranslation(['common', 'titles'])
  const { signedIn } = useSession()
  return (
    <>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <header className={classes.header}>
        <Anchor component={Link} to="/" underline="never" className={classes.brand}>
          <Brand />
        </Anchor>
        <Group gap={4} wrap="nowrap">
          <LanguageSwitch />
          <ThemeSwitch />
          <Button component={Link} to={signedIn ? '/dashboard' : '/sign-in'} variant="light" visibleFrom="xs">
            {t(signedIn ? 'titles:dashboard' : 'titles:sign-in')}
          </Button>
        </Group>
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
    </>
  )
}
