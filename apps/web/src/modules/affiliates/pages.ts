import { page } from '#web/shell/page.ts'

export const pages = [
  page('/afiliator', 'afiliator', { layout: 'public', access: 'public' }),
  page('/afiliator/:id', 'afiliator-view', { layout: 'public', access: 'public' }),
]
