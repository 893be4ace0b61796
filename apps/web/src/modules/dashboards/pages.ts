import { wallAccess } from '#domain/dashboards/cards.ts'
import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/dashboard/layar', 'dashboard-layar', { access: wallAccess, load: () => import('./wall-page.tsx') }),
]
