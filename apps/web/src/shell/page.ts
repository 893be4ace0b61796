import type { ComponentType } from 'react'
import type { MenuEntry } from '#domain/access/menus.ts'
import type { Localized } from '#entities/define/language.ts'

/**
 * A breadcrumb step. `title` is a key in the locale namespaces `titles` and `staff-titles`, or the text itself. With a
 * noun (a key in `staff-titles:nouns` or the text itself), `title` is a pattern that the noun completes.
 */
export type Crumb = { title: string | Localized; noun?: string | Localized; path?: string }

export type PageImport = () => Promise<{ default: ComponentType }>

/**
 * One page of the product. Modules declare theirs in `modules/<room>/pages.ts`, as data and without importing
 * components, because the server's seeds read the same declarations.
 */
export type Page = Crumb & {
  path: string
  /** Route name in the specification, used by redirects and as the title key if the page declares no title. */
  name: string
  /** `auth`: narrow form pages; `public`: pages without the menu; `app`: inside the menu. */
  layout: 'auth' | 'public' | 'app'
  /** 'public', 'signed-in' or a permission slug. */
  access: string
  /** Steps before the page itself. */
  breadcrumbs: readonly Crumb[]
  /** The list of `staff` pages loads only for staff; the staff menu omits entries for `applicants` pages. */
  audience: 'everyone' | 'applicants' | 'staff'
  /** Writes of this page wait on the device without network and are sent without another tap. */
  sendsLater?: boolean
  /** Its entry in the menu of a new database. */
  menu?: MenuEntry
  /** Loads the page's script. */
  load: PageImport
}

type Options = Pick<Page, 'access' | 'menu' | 'load'> &
  Partial<Pick<Page, 'layout' | 'title' | 'noun' | 'audience' | 'sendsLater' | 'breadcrumbs'>> & {
    /** Steps between the dashboard and the page. */
    under?: readonly Crumb[]
  }

const home: Crumb = { title: 'dashboard', path: '/dashboard' }

/** Declares a page; without `breadcrumbs`, a page inside the menu is below the dashboard and `under`. */
export const page = (path: string, name: string, { under = [], layout = 'app', ...options }: Options): Page => ({
  path,
  name,
  layout,
  title: name,
  breadcrumbs: layout === 'app' ? [home, ...under] : [],
  audience: 'everyone',
  ...options,
})

/** Declares a page of staff. */
export const staffPage = (path: string, name: string, options: Options): Page =>
  page(path, name, { audience: 'staff', ...options })

type RecordsOptions = Pick<Options, 'under' | 'menu' | 'title'> & Record<'list' | 'create' | 'edit', PageImport>

/** Declares list, new and edit pages for one kind of record: permissions `{prefix}-view`, `-create` and `-update`. */
export function records(path: string, prefix: string, noun: string | Localized, options: RecordsOptions): Page[] {
  const { under = [], menu, title = prefix, list, create, edit } = options
  const formCrumbs = [...under, { title, path }]
  return [
    staffPage(path, prefix, { access: `${prefix}-view`, title, under, menu, load: list }),
    staffPage(`${path}/create`, `${prefix}-create`, {
      access: `${prefix}-create`,
      title: 'create',
      noun,
      under: formCrumbs,
      load: create,
    }),
    staffPage(`${path}/:id`, `${prefix}-edit`, {
      access: `${prefix}-update`,
      title: 'edit',
      noun,
      under: formCrumbs,
      load: edit,
    }),
  ]
}
