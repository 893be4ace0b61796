import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { productName } from '#domain/navigation/constants.ts'
import type { Page } from './page.ts'
import { pageAt, usePageTable } from './page-table.ts'

/** The declaration of the page on screen; undefined until the list it stands in has arrived. */
export function usePage(): Page | undefined {
  const { pathname } = useLocation()
  const { pages } = usePageTable()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer changes when further pages arrive
  return useMemo(() => pageAt(pathname), [pathname, pages])
}

type Words = (key: string, options?: Record<string, unknown>) => string

/** A title or crumb in the reader's language. */
export function titleText(t: Words, { title, noun }: { title: string; noun?: string }): string {
  const text = t(title, noun ? { noun: t(`nouns.${noun}`) } : undefined)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Title of the page as its declaration says it. */
export function useScreenTitle(): string {
  const { t } = useTranslation('titles')
  const page = usePage()
  return page ? titleText(t as Words, page) : ''
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
