import type { MenuEntry } from '#domain/access/menus.ts'
import { type PageImport, staffPage } from '#web/shell/page.ts'

/** Permission that by default only Administrator holds: the pages are open to all, their menu entries are not. */
const menuPermission = 'settings-url-view'

type Entry = Omit<MenuEntry, 'under' | 'permission'>

const titleOf = (path: string) => `samples.${path.split('/').at(-1)}`

/** A page with a menu entry, or one that belongs to the entry of the page at `of`. */
const sample = (path: string, load: PageImport, menu: Entry | { of: string }) =>
  staffPage(path, path.slice(1).replaceAll('/', '-'), {
    access: 'signed-in',
    title: titleOf(path),
    breadcrumbs: [{ title: 'samples.group' }, ...('of' in menu ? [{ title: titleOf(menu.of), path: menu.of }] : [])],
    ...(!('of' in menu) && { menu: { ...menu, under: 'style-guide', permission: menuPermission } }),
    load,
  })

const entry = (order: number, en: string, id: string): Entry => ({ order, name: { en, id }, icon: 'point' })

const start: PageImport = () => import('./start-page.tsx')
const list: PageImport = () => import('./list-page.tsx')
const detail: PageImport = () => import('./detail-page.tsx')
const modals: PageImport = () => import('./modals-page.tsx')
const wizard: PageImport = () => import('./wizard-page.tsx')
const profile: PageImport = () => import('./profile-page.tsx')

/** The living style guide, at the addresses of the theme's sample pages. */
export const pages = [
  sample('/builder', () => import('./builder-page.tsx'), entry(10, 'Layout', 'Tata letak')),
  sample('/apps/customers/getting-started', start, entry(20, 'Empty, loading and failed', 'Kosong, memuat, dan gagal')),
  sample('/apps/subscriptions/getting-started', start, { of: '/apps/customers/getting-started' }),
  sample('/apps/customers/customers-listing', list, entry(30, 'Lists', 'Daftar')),
  sample('/apps/subscriptions/subscription-list', list, { of: '/apps/customers/customers-listing' }),
  sample('/apps/customers/customer-details', detail, entry(40, 'Details', 'Rincian')),
  sample('/apps/subscriptions/view-subscription', detail, { of: '/apps/customers/customer-details' }),
  sample('/apps/subscriptions/add-subscription', () => import('./form-page.tsx'), entry(50, 'Forms', 'Formulir')),
  sample('/crafted/modals/general', modals, entry(60, 'Dialogs', 'Dialog')),
  sample('/crafted/modals/forms', modals, { of: '/crafted/modals/general' }),
  sample('/crafted/modals/wizards', modals, { of: '/crafted/modals/general' }),
  sample('/crafted/pages/wizards/horizontal', wizard, entry(70, 'Steps', 'Langkah')),
  sample('/crafted/pages/wizards/vertical', wizard, { of: '/crafted/pages/wizards/horizontal' }),
  sample('/crafted/pages/profile', profile, entry(80, 'Profile', 'Profil')),
  ...['overview', 'projects', 'campaigns', 'documents', 'connections', 'activity'].map((part) =>
    sample(`/crafted/pages/profile/${part}`, profile, { of: '/crafted/pages/profile' }),
  ),
  sample('/crafted/widgets', () => import('./widgets-page.tsx'), entry(90, 'Cards and charts', 'Kartu dan grafik')),
]
