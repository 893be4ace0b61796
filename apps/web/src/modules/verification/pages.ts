import { page } from '#web/shell/page.ts'

export const pages = [
  page('/verifikasi/:code', 'verifikasi', {
    layout: 'public',
    access: 'public',
    load: () => import('./verification-page.tsx'),
  }),
]
