import { lazy } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { type Screen, screens } from '#domain/navigation/screens.ts'
import { Frame } from './frame.tsx'
import { AuthLayout } from './layouts/auth-layout.tsx'
import { arrive, LazyPage, type PageImport } from './lazy-page.tsx'
import { pages } from './routes.tsx'

const PublicLayout = lazy(() => arrive(() => import('./layouts/public-layout.tsx')))
const AppLayout = lazy(() => arrive(() => import('./layouts/app-layout.tsx')))

const comingLater: PageImport = () => import('./coming-later-page.tsx')

/** The sign-in page alone has to be light; whatever follows brings the full style sheet with it. */
const withStyles =
  (load: PageImport): PageImport =>
  async () => {
    const [page] = await Promise.all([load(), import('./all-styles.ts')])
    return page
  }

const table = screens.map((screen) => {
  const load = pages[screen.path] ?? comingLater
  return { screen, load: screen.name === 'sign-in' ? load : withStyles(load) }
})

/** A page starts anew on every path: drawers, dialogs and what else it had opened close. */
function Place({ load }: { load: PageImport }) {
  const { pathname } = useLocation()
  return <LazyPage key={pathname} load={load} />
}

const inLayout = (layout: Screen['layout']) =>
  table
    .filter(({ screen }) => screen.layout === layout)
    .map(({ screen: { path }, load }) => <Route key={path} path={path} element={<Place key={path} load={load} />} />)

/** Every path of the product below one frame. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<Frame />}>
      <Route index element={<Navigate to="/dashboard" replace />} />
      <Route path="/account" element={<Navigate to="/account/overview" replace />} />
      <Route element={<AuthLayout />}>{inLayout('auth')}</Route>
      <Route element={<PublicLayout />}>{inLayout('public')}</Route>
      <Route element={<AppLayout />}>{inLayout('app')}</Route>
      <Route path="*" element={<Navigate to="/404" replace />} />
    </Route>
  </Routes>
)
