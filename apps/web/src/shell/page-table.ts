import { useSyncExternalStore } from 'react'
import { matchRoutes } from 'react-router'
import type { Page } from './page.ts'

/** `complete`: the staff pages have arrived. Until then an address without a page may be one of theirs. */
type PageTable = { pages: readonly Page[]; complete: boolean }

let table: PageTable = { pages: [], complete: false }
let pageByPath = new Map<string, Page>()
let routes: { path: string; page: Page }[] = []
const listeners = new Set<() => void>()

/** Sets the product's pages. Called by `app`, which is above the modules and knows all pages. */
export function setPages(pages: readonly Page[], { complete }: { complete: boolean }) {
  table = { pages, complete }
  pageByPath = new Map(pages.map((page) => [page.path, page]))
  routes = pages.map((page) => ({ path: page.path, page }))
  for (const listener of listeners) listener()
}

const onPages = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const currentTable = () => table

export const usePageTable = (): PageTable => useSyncExternalStore(onPages, currentTable)

/**
 * Page at an address, among those that have arrived. Tries the exact path first: menus ask for a hundred fixed paths,
 * and `matchRoutes` compiles every pattern on each call.
 */
export const pageAt = (pathname: string): Page | undefined =>
  pageByPath.get(pathname) ?? matchRoutes(routes, pathname)?.at(-1)?.route.page

/** Address of the page with a route name, for redirects. */
export function pathOf(name: string): string {
  const found = table.pages.find((page) => page.name === name)
  if (!found) throw new Error(`No page is called ${name}`)
  return found.path.replace('/:number?', '')
}

/** Addresses of pages that require a permission. */
export const pathsAskingFor = (permission: string, pages: readonly Page[]): string[] =>
  pages.filter(({ access }) => access === permission).map(({ path }) => path)
