import { lazy, useMemo } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { i18n } from '#web/shell/language.ts'
import { setPageAfterSignIn } from '#web/shell/next-page.ts'
import type { Page, PageImport } from '#web/shell/page.ts'
import { usePageTable } from '#web/shell/page-table.ts'
import { Frame } from './frame.tsx'
import { AuthLayout } from './layouts/auth-layout.tsx'
import { arrive, LazyPage } from './lazy-page.tsx'
import { unknownPage } from './page-lists.ts'

const PublicLayout = lazy(() => arrive(() => import('./layouts/public-layout.tsx')))
const loadAppLayout = () => import('./layouts/app-layout.tsx')
const AppLayout = lazy(() => arrive(loadAppLayout))

setPageAfterSignIn(() => {
  loadAppLayout().catch(() => {})
  void i18n.loadNamespaces(['navigation', 'dashboard', 'registration', 'admissions'])
})

/** Loads the full style sheet with a script; only the first pages of a visitor omit it, to stay small. */
const withStyles =
  (load: PageImport): PageImport =>
  async () => {
    const [page] = await Promise.all([load(), import('./styles/all-styles.ts')])
    return page
  }

const firstPages = ['sign-in', 'sign-up']

const imports = new WeakMap<Page, PageImport>()

/** Returns the same function for a page each time, so the page on screen stays mounted when the staff pages arrive. */
function importOf(page: Page): PageImport {
  const load = imports.get(page) ?? (firstPages.includes(page.name) ? page.load : withStyles(page.load))
  imports.set(page, load)
  return load
}

/** Remounts the page on every path, which closes its drawers and dialogs. */
function Place({ load }: { load: PageImport }) {
  const { pathname } = useLocation()
  return <LazyPage key={pathname} load={load} />
}

/** The root address. With an affiliate code it leads to sign-up, which keeps the code. */
function Entrance() {
  const { search } = useLocation()
  return <Navigate to={/[?&](ref|voucher)=/.test(search) ? `/sign-up${search}` : '/dashboard'} replace />
}

/** Routes of every page, below one frame. */
export function AppRoutes() {
  const { pages, complete } = usePageTable()
  return useMemo(() => {
    const inLayout = (layout: Page['layout']) =>
      pages
        .filter((page) => page.layout === layout)
        .map((page) => (
          <Route key={page.path} path={page.path} element={<Place key={page.path} load={importOf(page)} />} />
        ))
    return (
      <Routes>
        <Route element={<Frame />}>
          <Route index element={<Entrance />} />
          <Route path="/account" element={<Navigate to="/account/overview" replace />} />
          <Route element={<AuthLayout />}>{inLayout('auth')}</Route>
          <Route element={<PublicLayout />}>{inLayout('public')}</Route>
          <Route element={<AppLayout />}>
            {inLayout('app')}
            {/* Inside the staff layout, so that it stays mounted if the address turns out to be a staff page. */}
            {!complete && <Route path="*" element={<Place key="*" load={unknownPage} />} />}
          </Route>
          {complete && <Route path="*" element={<Navigate to="/404" replace />} />}
        </Route>
      </Routes>
    )
  }, [pages, complete])
}
