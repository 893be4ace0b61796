import { staffPage } from '#web/shell/page.ts'

export const pages = [
  staffPage('/persetujuan', 'persetujuan', {
    access: 'persetujuan-view',
    menu: { under: 'payments', order: 30, name: { en: 'Approvals', id: 'Persetujuan' }, icon: 'circle-check' },
    load: () => import('./approvals-page.tsx'),
  }),
  staffPage('/settings/approval-limits', 'approval-limits', {
    access: 'settings-approval-limits',
    under: [{ title: 'settings' }],
    menu: { under: 'settings', order: 90, name: { en: 'Approval limits', id: 'Batas persetujuan' }, icon: 'point' },
    load: () => import('./approval-limits-page.tsx'),
  }),
]
