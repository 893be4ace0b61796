import '#web/app/styles/all-styles.ts'
import { Drawer } from '@mantine/core'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { Aside, MenuTree, SearchEntry } from '#web/app/parts/aside.tsx'
import { BottomBar } from '#web/app/parts/bottom-bar.tsx'
import { Header } from '#web/app/parts/header.tsx'
import { ScrollTop } from '#web/app/parts/scroll-top.tsx'
import { AskDrawer, UnsentAnswers } from '#web/modules/chat/ask-us.tsx'
import { NeedHelp } from '#web/modules/chat/help/need-help.tsx'
import { Forbidden } from '#web/modules/errors/forbidden.tsx'
import { MenuSearch } from '#web/modules/search/menu-search.tsx'
import { changeLayout, useLayoutSettings } from '#web/shell/layout-settings.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { usePage } from '#web/shell/title.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import classes from './app-layout.module.css'
import { DateWords } from './date-words.tsx'

const RestoredNotice = lazyPart(() => import('#web/modules/payments/banks/after-restore/restored-notice.tsx'))

/** Money screens: all of them warn if the books come from a restored backup. */
const moneyScreens = [
  '/pembayaran-mahasiswa',
  '/uang-menunggu',
  '/persetujuan',
  '/rekonsiliasi',
  '/transaksi-va',
  '/settings/invariants',
]
const onMoneyScreen = (pathname: string) =>
  moneyScreens.some((path) => pathname === path || pathname.startsWith(`${path}/`))

/** Layout of all screens after sign-in: dark sidebar, header, content. */
export default function AppLayout() {
  const { t } = useTranslation('navigation')
  const { may, user } = useSession()
  const page = usePage()
  const { pathname } = useLocation()
  const { asideMinimized, density } = useLayoutSettings()
  // The drawer stores the path it was opened on, so that navigating closes it without another render.
  const [drawerOn, setDrawerOn] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: returning to that screen must not open the drawer again
  useEffect(() => setDrawerOn(null), [pathname])
  const allowed = !page || page.access === 'signed-in' || page.access === 'public' || may(page.access)
  const audience = user?.role.name === applicantRole ? 'applicant' : 'staff'
  // Set on the root, so that menus and dialogs, which are outside the shell, have the same sizes.
  useEffect(() => {
    const marks = document.documentElement.dataset
    Object.assign(marks, { audience, density })
    return () => {
      delete marks.audience
      delete marks.density
    }
  }, [audience, density])

  return (
    <DateWords>
      <a className="skip-link" href="#content">
        {t('common:skip')}
      </a>
      <div className={classes.shell} data-minimized={asideMinimized || undefined}>
        <Aside minimized={asideMinimized} onMinimize={(minimized) => changeLayout({ asideMinimized: minimized })} />
        <div className={classes.body}>
          <Header />
          <main id="content" tabIndex={-1} className={classes.content}>
            {allowed && audience === 'staff' && onMoneyScreen(pathname) && (
              <Suspense>
                <RestoredNotice />
              </Suspense>
            )}
            {allowed ? <Outlet /> : <Forbidden />}
            {audience === 'applicant' && <NeedHelp />}
          </main>
        </div>
        <BottomBar onMenu={() => setDrawerOn(pathname)} menuOpen={drawerOn === pathname} />
      </div>
      <Drawer
        opened={drawerOn === pathname}
        onClose={() => setDrawerOn(null)}
        size={300}
        title={t('menu')}
        closeButtonProps={{ 'aria-label': t('closeMenu') }}
        classNames={{
          content: classes.drawer,
          header: classes.drawer,
          body: classes.drawerBody,
          close: classes.drawerClose,
        }}
      >
        <nav aria-label={t('main')}>
          <SearchEntry onOpen={() => setDrawerOn(null)} />
          <MenuTree />
        </nav>
      </Drawer>
      {audience === 'applicant' ? <AskDrawer /> : <UnsentAnswers />}
      <ScrollTop />
      <MenuSearch />
    </DateWords>
  )
}
