import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { productName } from '#domain/navigation/constants.ts'
import { capitalised, insideSentence, type Localized } from '#entities/define/language.ts'
import { currentLanguage } from './language.ts'
import type { Crumb, Page } from './page.ts'
import { pageAt, usePageTable } from './page-table.ts'

/** Declaration of the page on screen; undefined until its page list has arrived. */
export function usePage(): Page | undefined {
  const { pathname } = useLocation()
  const { pages } = usePageTable()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer changes when further pages arrive
  return useMemo(() => pageAt(pathname), [pathname, pages])
}

export type Words = (key: string, options?: Record<string, unknown>) => string

/** Title namespaces; the second one arrives with the staff pages. */
const ns = ['titles', 'staff-titles']

/** A title or crumb in the reader's language. */
export function titleText(t: Words, { title, noun }: Crumb): string {
  if (typeof title !== 'string') return title[currentLanguage()]
  return capitalised(t(title, { ns, ...(noun && { noun: nounText(t, noun) }) }))
}

const nounText = (t: Words, noun: string | Localized) =>
  typeof noun === 'string' ? t(`nouns.${noun}`, { ns }) : insideSentence(noun[currentLanguage()])

/** Title of the current page, from its declaration. */
export function useScreenTitle(): string {
  const { t } = useTranslation('titles')
  const page = usePage()
  return page ? titleText(t as Words, page) : ''
}

/** A parent record in the breadcrumb. */
export type OwnCrumb = { title: string; path: string }
type Own = { title: string | null; above: readonly OwnCrumb[] }
const noOwnTitle: Own = { title: null, above: [] }
const OwnTitle = createContext<Own & { set: (ownTitle: Own) => void }>({ ...noOwnTitle, set: () => {} })

export function TitleProvider({ children }: { children: ReactNode }) {
  const [ownTitle, set] = useState(noOwnTitle)
  const value = useMemo(() => ({ ...ownTitle, set }), [ownTitle])
  return <OwnTitle.Provider value={value}>{children}</OwnTitle.Provider>
}

/** Sets the tab title and the last crumb to the record's name, and adds the parent records to the breadcrumbs. */
export function usePageTitle(title: string | null | undefined, above: readonly OwnCrumb[] = noOwnTitle.above) {
  const { set } = useContext(OwnTitle)
  useEffect(() => {
    set({ title: title ?? null, above })
    return () => set(noOwnTitle)
  }, [title, above, set])
}

export const useOwnTitle = () => useContext(OwnTitle)

/** Sets the title of the tab: `{page title} - PMB Online`. */
export function useTabTitle() {
  const fromTable = useScreenTitle()
  const ownTitle = useOwnTitle()
  const title = ownTitle.title ?? fromTable
  useEffect(() => {
    document.title = title ? `${title} - ${productName}` : productName
  }, [title])
}
