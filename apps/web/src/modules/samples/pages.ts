import { staffPage } from '#web/shell/page.ts'

const sample = (path: string) =>
  staffPage(path, path.slice(1).replaceAll('/', '-'), {
    access: 'signed-in',
    title: `samples.${path.split('/').at(-1)}`,
    breadcrumbs: [{ title: 'samples.group' }],
  })

/** Sample pages of the theme, without menu entries. */
export const pages = [
  sample('/builder'),
  sample('/crafted/pages/profile'),
  ...['overview', 'projects', 'campaigns', 'documents', 'connections', 'activity'].map((tab) =>
    sample(`/crafted/pages/profile/${tab}`),
  ),
  sample('/crafted/pages/wizards/horizontal'),
  sample('/crafted/pages/wizards/vertical'),
  sample('/apps/customers/getting-started'),
  sample('/apps/customers/customers-listing'),
  sample('/apps/customers/customer-details'),
  sample('/apps/subscriptions/getting-started'),
  sample('/apps/subscriptions/subscription-list'),
  sample('/apps/subscriptions/add-subscription'),
  sample('/apps/subscriptions/view-subscription'),
  sample('/crafted/modals/general'),
  sample('/crafted/modals/forms'),
  sample('/crafted/modals/wizards'),
  sample('/crafted/widgets'),
]
