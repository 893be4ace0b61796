import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { permissionRow, roleRow } from './endpoints.ts'
import { permissionGroups } from './permissions.ts'

export const listRoles = defineList({
  name: 'roles',
  path: '/settings/roles',
  access: 'settings-roles-view',
  summary: 'Roles with how many people hold them',
  words: { title: 'staff-titles:settings-roles', columns: 'access:roles' },
  row: roleRow,
  columns: {
    name: { sort: true },
    description: {},
    holders: { kind: 'number', sort: true },
    permissions: { word: 'access:roles.permissionCount', kind: 'number' },
    menus: { word: 'access:roles.menuCount', kind: 'number' },
    limited: { word: 'access:roles.scope', words: 'access:roles.rows' },
    active: { word: 'access:roles.status', words: 'access:roles.activity' },
    updatedAt: { word: 'access:roles.updated', kind: 'dateTime', sort: true, hidden: true },
  },
  filters: {
    active: { values: ['true', 'false'], word: 'access:roles.status', words: 'access:roles.activity', quick: true },
    limited: { kind: 'yesNo', word: 'access:roles.limitedFilter' },
  },
  order: 'name',
})

export const listPermissions = defineList({
  name: 'permissions',
  path: '/settings/permissions',
  access: 'settings-permissions-view',
  summary: 'The catalogue of permissions',
  words: { title: 'staff-titles:settings-permissions', columns: 'access:permissions', filters: 'access:permissions' },
  /** `title` is the name in the reader's language. */
  row: permissionRow.extend({ title: z.string() }),
  columns: {
    slug: { sort: true },
    title: { word: 'access:permissions.name' },
    group: { words: permissionGroups },
    builtIn: { word: 'access:permissions.kind', words: 'access:permissions.origin' },
    roles: { kind: 'number', sort: true },
  },
  filters: {
    builtIn: {
      values: ['true', 'false'],
      word: 'access:permissions.kind',
      words: 'access:permissions.origin',
      quick: true,
    },
    group: { kind: 'text', most: 60 },
  },
  order: 'slug',
})
