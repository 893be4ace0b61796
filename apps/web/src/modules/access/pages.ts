import { type Crumb, records, staffPage } from '#web/shell/page.ts'

const settings: Crumb = { title: 'settings' }
const roles: Crumb = { title: 'settings-roles', path: '/settings/roles' }

export const pages = [
  ...records('/settings/url', 'settings-url', 'url', {
    under: [settings],
    menu: { under: 'settings', order: 20, name: { en: 'Menus', id: 'Menu' }, icon: 'point' },
    list: () => import('./menus/menus-page.tsx'),
    create: () => import('./menus/menu-form-page.tsx'),
    edit: () => import('./menus/menu-form-page.tsx'),
  }),
  ...records('/settings/roles', 'settings-roles', 'roles', {
    under: [settings],
    menu: { under: 'settings', order: 40, name: { en: 'Roles', id: 'Peran' }, icon: 'point' },
    list: () => import('./roles-page.tsx'),
    create: () => import('./role-form-page.tsx'),
    edit: () => import('./role-form-page.tsx'),
  }),
  staffPage('/settings/roles/menus/:id', 'settings-roles-menus', {
    access: 'settings-roles-menus',
    under: [settings, roles],
    load: () => import('./role-menus-page.tsx'),
  }),
  staffPage('/settings/roles/permissions/:id', 'settings-roles-permissions', {
    access: 'settings-roles-permissions',
    under: [settings, roles],
    load: () => import('./role-permissions-page.tsx'),
  }),
  ...records('/settings/permissions', 'settings-permissions', 'permissions', {
    under: [settings],
    menu: { under: 'settings', order: 50, name: { en: 'Permissions', id: 'Izin' }, icon: 'point' },
    list: () => import('./permissions/permissions-page.tsx'),
    create: () => import('./permissions/permission-form-page.tsx'),
    edit: () => import('./permissions/permission-form-page.tsx'),
  }),
]
