import { type Crumb, staffPage } from '#web/shell/page.ts'

const path = '/marketing/data-survey-siswa'
const marketing: Crumb = { title: 'marketing' }
const surveys: Crumb = { title: 'marketing-data-survey-siswa', path }

export const pages = [
  staffPage(path, 'marketing-data-survey-siswa', {
    access: 'marketing-data-survey-siswa',
    under: [marketing],
    menu: {
      under: 'marketing',
      order: 20,
      name: { en: 'Student surveys', id: 'Data survei siswa' },
      icon: 'chart-dots',
    },
    load: () => import('./surveys-page.tsx'),
  }),
  staffPage(`${path}/create`, 'marketing-data-survey-siswa-create', {
    access: 'marketing-data-survey-siswa-create',
    title: 'create',
    noun: 'survey',
    under: [marketing, surveys],
    load: () => import('./builder/builder-page.tsx'),
  }),
  staffPage(`${path}/view/:id`, 'marketing-data-survey-siswa-view', {
    access: 'marketing-data-survey-siswa-view',
    title: 'detail',
    noun: 'survey',
    under: [marketing, surveys],
    load: () => import('./survey-page.tsx'),
  }),
]
