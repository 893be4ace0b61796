import { lazy } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { type Screen, screens } from '#domain/navigation/screens.ts'
import { Frame } from './frame.tsx'
import { AuthLayout } from './layouts/auth-layout.tsx'
import { arrive, LazyPage, type PageImport } from './lazy-page.tsx'
import { RootFailure } from './root-failure.tsx'
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

const routeOf = (screen: Screen): RouteObject => {
  const load = pages[screen.path] ?? comingLater
  return {
    path: screen.path,
    handle: screen,
    element: <LazyPage key={screen.path} load={screen.name === 'sign-in' ? load : withStyles(load)} />,
  }
}

const inLayout = (layout: Screen['layout']) => screens.filter((screen) => screen.layout === layout).map(routeOf)

export const router = createBrowserRouter([
  {
    element: <Frame />,
    errorElement: <RootFailure />,
    children: [
      { index: true, element: <Navigate to="/dashboard" replace /> },
      { path: '/account', element: <Navigate to="/account/overview" replace /> },
      { element: <AuthLayout />, children: inLayout('auth') },
      { element: <PublicLayout />, children: inLayout('public') },
      { element: <AppLayout />, children: inLayout('app') },
      { path: '*', element: <Navigate to="/404" replace /> },
    ],
  },
])
