import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { matchRoutes, useLocation } from 'react-router'
import { productName } from '#domain/navigation/constants.ts'
import { type Screen, screens } from '#domain/navigation/screens.ts'

const table = screens.map((screen) => ({ path: screen.path, screen }))

/** The row of the route table a path belongs to. */
export const screenAt = (pathname: string): Screen | undefined => matchRoutes(table, pathname)?.at(-1)?.route.screen

/** The row of the route table that is on screen. */
export function useScreen(): Screen | undefined {
  const { pathname } = useLocation()
  return useMemo(() => screenAt(pathname), [pathname])
}

type Words = (key: string, options?: Record<string, unknown>) => string

/** A title or crumb in the reader's language. */
export function titleText(t: Words, { title, noun }: { title: string; noun?: string }): string {
  const text = t(title, noun ? { noun: t(`nouns.${noun}`) } : undefined)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Title of the screen as the route table says it. */
export function useScreenTitle(): string {
  const { t } = useTranslation('titles')
  const screen = useScreen()
  return screen ? titleText(t as Words, screen) : ''
}

/** A record above the one on screen. */
export type OwnCrumb = { title: string; path: string }
type Own = { title: string | null; above: readonly OwnCrumb[] }
const nothing: Own = { title: null, above: [] }
const OwnTitle = createContext<Own & { set: (own: Own) => void }>({ ...nothing, set: () => {} })

export function TitleProvider({ children }: { children: ReactNode }) {
  const [own, set] = useState(nothing)
  const value = useMemo(() => ({ ...own, set }), [own])
  return <OwnTitle.Provider value={value}>{children}</OwnTitle.Provider>
}

/** A page about one record may name it in the tab and the breadcrumb, and the records it lies below in the breadcrumb. */
export function usePageTitle(title: string | null | undefined, above: readonly OwnCrumb[] = nothing.above) {
  const { set } = useContext(OwnTitle)
  useEffect(() => {
    set({ title: title ?? null, above })
    return () => set(nothing)
  }, [title, above, set])
}

export const useOwnTitle = () => useContext(OwnTitle)

/** Keeps the tab: `{page title} - PMB Online`. */
export function useTabTitle() {
  const fromTable = useScreenTitle()
  const own = useOwnTitle()
  const title = own.title ?? fromTable
  useEffect(() => {
    document.title = title ? `${title} - ${productName}` : productName
  }, [title])
}
