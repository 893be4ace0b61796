import { staffPage } from '#web/shell/page.ts'

const path = '/marketing/prospek'

export const pages = [
  staffPage(path, 'marketing-prospek', {
    access: 'marketing-prospek-view',
    under: [{ title: 'marketing' }],
    menu: { under: 'marketing', order: 50, name: { en: 'Leads', id: 'Prospek' }, icon: 'users' },
    load: () => import('./leads-page.tsx'),
  }),
  staffPage(`${path}/:id`, 'marketing-prospek-detail', {
    access: 'marketing-prospek-view',
    title: 'detail',
    noun: 'marketing-prospek',
    under: [{ title: 'marketing' }, { title: 'marketing-prospek', path }],
    load: () => import('./lead-page.tsx'),
  }),
]
