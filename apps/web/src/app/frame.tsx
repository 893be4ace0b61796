import { Suspense, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation, useParams } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { redirectFor, safeReturnPath } from '#domain/accounts/redirect.ts'
import { clearFailures, currentFailures, onFailures } from '#web/api/failures.ts'
import { keptLead } from '#web/modules/accounts/sign-up/lead-token.ts'
import { useLanguage } from '#web/shell/language.ts'
import type { Page } from '#web/shell/page.ts'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { pathOf, usePageTable } from '#web/shell/page-table.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { checkSession, isTrialSession, leftOnPurpose, type Session } from '#web/shell/session/session-store.ts'
import { TitleProvider, usePage, useTabTitle } from '#web/shell/title.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { turnShortcutsOffWhile } from '#web/ui/shortcuts.ts'
import { type Surroundings, SurroundingsProvider } from '#web/ui/text/words.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { ServerSilent } from './failed-page.tsx'
import { useFocusBack } from './focus-back.ts'
import { LazyPage } from './lazy-page.tsx'
import { NewerBuildNotice } from './newer-build-notice.tsx'
import { loadStaffPages, unknownPage } from './page-lists.ts'
import { DemoBanner } from './parts/demo-banner.tsx'

turnShortcutsOffWhile(() => currentFailures().length > 0)
const FailureDialog = lazyPart(() => import('./failure-dialog.tsx'))
const Toasts = lazyPart(() => import('./toasts.tsx'))
const SeenAsBanner = lazyPart(() => import('./parts/seen-as-banner.tsx'))
const TrialBanner = lazyPart(() => import('./parts/trial-banner.tsx'))

const visitorOf = ({ user, profile, mustSetUpTotp }: Session) =>
  user && {
    emailVerified: user.email_verified_at !== null,
    roleName: user.role.name,
    hasProfile: profile !== null,
    mustSetUpTotp,
  }

/** Redirect target of the visitor, including the path to return to after sign-in; null if the visitor may stay. */
function detour(page: Page, session: Session, currentPath: string): string | null {
  const name = redirectFor(page.name, visitorOf(session))
  if (!name) return null
  // A public page is public, whether or not the rules know its name.
  if (name === 'sign-in' && page.access === 'public') return null
  const path = name.startsWith('/') ? name : pathOf(name)
  if (name !== 'sign-in' || leftOnPurpose()) return path
  const back = safeReturnPath(currentPath)
  return back && back !== '/dashboard' ? `${path}?next=${encodeURIComponent(back)}` : path
}

/** Sign-in and sign-up do not load the toasts, because they show none. The form behind a lead's link may show one. */
const mayToast = (page: Page | undefined, search: string) =>
  page?.name !== 'sign-in' &&
  (page?.name !== 'sign-up' || new URLSearchParams(search).has('lead') || keptLead() !== null)

const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

function useArrival(pathname: string) {
  const isFirstPage = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs on every navigation, not when its parts change
  useEffect(() => {
    window.scrollTo({ top: 0, behavior: isFirstPage.current || reducedMotion() ? 'auto' : 'smooth' })
    // Keyboard and screen reader continue from the new content, not from the link on the previous page.
    const content = document.getElementById('content')
    const focused = document.activeElement
    const isInField = focused instanceof HTMLInputElement && content?.contains(focused)
    if (!isFirstPage.current && !isInField) content?.focus({ preventScroll: true })
    isFirstPage.current = false
  }, [pathname])
}

/**
 * Whether no loaded page has this address. Loads the staff pages if the address is unknown or the session belongs to
 * staff.
 */
function useUnknownAddress({ user }: Session) {
  const { complete } = usePageTable()
  const unknown = useParams()['*'] !== undefined && !complete
  const needsStaffPages = unknown || (user !== null && user.role.name !== applicantRole)
  useEffect(() => {
    // The page that waits for the list shows a failed load.
    if (needsStaffPages) loadStaffPages().catch(() => {})
  }, [needsStaffPages])
  return unknown
}

/** Wraps every page: redirects by access, sets the tab title, focus and scroll position. */
export function Frame() {
  return (
    <TitleProvider>
      <Suspense fallback={<PageSkeleton />}>
        <Visit />
      </Suspense>
    </TitleProvider>
  )
}

function Visit() {
  const page = usePage()
  const session = useSession()
  const unknown = useUnknownAddress(session)
  const { pathname, search, hash, key } = useLocation()
  const { t } = useTranslation('common')
  const language = useLanguage()
  const failures = useSyncExternalStore(onFailures, currentFailures)
  useTabTitle()
  useArrival(pathname)
  useFocusBack()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the token is checked on every navigation
  useEffect(() => void checkSession(), [key, pathname])
  // biome-ignore lint/correctness/useExhaustiveDependencies: failures of the previous page do not concern the next one
  useEffect(() => clearFailures, [pathname])

  const owner = session.user?.id ?? 'nobody'
  const surroundings = useMemo(
    (): Surroundings => ({
      language,
      say: (key, params) => t(key, params),
      owner,
    }),
    [t, language, owner],
  )

  const checking = session.state === 'checking'
  const path = page && !checking ? detour(page, session, pathname + search + hash) : null
  if (path && path !== pathname) return <Navigate to={path} replace />

  return (
    <SurroundingsProvider value={surroundings}>
      <DemoBanner />
      <ConnectionNotice trouble={checking ? null : session.trouble} sendsLater={page?.sendsLater ?? false} />
      <NewerBuildNotice pathname={pathname} />
      <Suspense>{session.seenBy ? <SeenAsBanner /> : isTrialSession() && <TrialBanner />}</Suspense>
      {checking && session.trouble ? (
        <ServerSilent message={session.trouble} onRetry={() => void checkSession({ force: true, fresh: true })} />
      ) : checking ? (
        <PageSkeleton />
      ) : unknown && redirectFor('*', visitorOf(session)) ? (
        // The redirect depends on the page, which is still unknown; a visitor who may be redirected must not see the
        // menu.
        <LazyPage load={unknownPage} />
      ) : (
        <Outlet />
      )}
      <Suspense>
        {failures.length > 0 && <FailureDialog failures={failures} />}
        {mayToast(page, search) && <Toasts />}
      </Suspense>
    </SurroundingsProvider>
  )
}
