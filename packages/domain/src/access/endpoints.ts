import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'

const localized = z.strictObject({ en: typedLine().min(1).max(80), id: typedLine().min(1).max(80) })

const menuRow = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.object({ en: z.string(), id: z.string() }),
  path: z.string().nullable(),
  icon: z.string().nullable(),
  parentId: z.uuid().nullable(),
  permission: z.string().nullable(),
  active: z.boolean(),
  version: z.int(),
  updatedAt: time,
  /** Names of the roles that include the permission. */
  roles: z.array(z.string()),
})
export type MenuRow = z.output<typeof menuRow>

const menuContent = z.strictObject({
  name: localized,
  path: typedLine()
    .max(200)
    .regex(/^\/[^\s]*$/)
    .nullable(),
  icon: z.string().max(60).nullable(),
  parentId: z.uuid().nullable(),
  permission: z.string().max(120).nullable(),
  active: z.boolean().default(true),
})

/** Returns the whole menu tree, which is small and edited as a whole. */
export const listMenus = endpoint({
  method: 'GET',
  path: '/settings/url',
  access: 'settings-url-view',
  summary: 'The registry of menus, in their order',
  response: z.object({ data: z.array(menuRow) }),
})

export const createMenu = endpoint({
  method: 'POST',
  path: '/settings/url',
  access: 'settings-url-create',
  summary: 'Add a menu at the end of its level; roles that hold its permission get it',
  body: menuContent,
  response: z.object({ data: menuRow }),
})

export const updateMenu = endpoint({
  method: 'PUT',
  path: '/settings/url/:id',
  access: 'settings-url-update',
  summary: 'Change a menu; 409 when somebody else did since `version`',
  params: z.object({ id: z.uuid() }),
  body: menuContent.extend({ version: z.int().min(1) }),
  response: z.object({ data: menuRow }),
})

export const orderMenus = endpoint({
  method: 'PUT',
  path: '/settings/url/order',
  access: 'settings-url-update',
  summary: 'Put all menus into a new order and nesting; 409 when one was added, moved or removed meanwhile',
  body: z.strictObject({
    /** Order on screen before the change; 409 if stale. */
    from: z.array(z.strictObject({ id: z.uuid(), parentId: z.uuid().nullable() })).max(1000),
    to: z.array(z.strictObject({ id: z.uuid(), parentId: z.uuid().nullable() })).max(1000),
  }),
  response: z.object({ data: z.array(menuRow) }),
})

export const removeMenu = endpoint({
  method: 'DELETE',
  path: '/settings/url/:id',
  access: 'settings-url-delete',
  summary: 'Delete a menu that holds no others',
  params: z.object({ id: z.uuid() }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const scope = z.object({
  faculties: z.array(z.object({ id: z.uuid(), name: z.string() })),
  programmes: z.array(z.object({ id: z.uuid(), name: z.string() })),
})

export const roleRow = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  builtIn: z.boolean(),
  requireTotp: z.boolean(),
  sessionHours: z.int(),
  active: z.boolean(),
  version: z.int(),
  updatedAt: time,
  holders: z.int(),
  permissions: z.int(),
  menus: z.int(),
  limited: z.boolean(),
  /** Why the reader may neither change nor assign the role; null if allowed. */
  refusal: z.string().nullable(),
  /** Why the reader may not copy the role with its permissions; null if allowed. */
  copyRefusal: z.string().nullable(),
})
export type RoleRow = z.output<typeof roleRow>

const roleDetail = /* @__PURE__ */ roleRow.extend({ scope })
export type RoleDetail = z.output<typeof roleDetail>

const roleContent = z.strictObject({
  name: typedLine().min(2).max(60),
  description: typedText().max(500).nullable(),
  requireTotp: z.boolean(),
  sessionHours: z.int().min(1).max(8760),
  active: z.boolean(),
  facultyIds: z.array(z.uuid()).max(200),
  programmeIds: z.array(z.uuid()).max(500),
})

export const readRole = endpoint({
  method: 'GET',
  path: '/settings/roles/:id',
  access: 'settings-roles-view',
  summary: 'One role with the rows it is limited to',
  params: z.object({ id: z.uuid() }),
  response: z.object({ data: roleDetail }),
})

export const createRole = endpoint({
  method: 'POST',
  path: '/settings/roles',
  access: 'settings-roles-create',
  summary: 'Add a role, empty or with the permissions and menus of another',
  body: roleContent.extend({ copyOf: z.uuid().optional() }),
  response: z.object({ data: roleDetail }),
})

export const updateRole = endpoint({
  method: 'PUT',
  path: '/settings/roles/:id',
  access: 'settings-roles-update',
  summary: 'Change a role; its holders feel it on their next request',
  params: z.object({ id: z.uuid() }),
  body: roleContent.extend({ version: z.int().min(1) }),
  response: z.object({ data: roleDetail }),
})

export const removeRole = endpoint({
  method: 'DELETE',
  path: '/settings/roles/:id',
  access: 'settings-roles-delete',
  summary: 'Delete a role; its holders move to another one, without which it must be held by nobody',
  params: z.object({ id: z.uuid() }),
  query: z.strictObject({ moveTo: z.uuid().optional() }),
  response: z.object({ data: z.object({ id: z.uuid(), moved: z.int() }) }),
})

export const readRoleMenus = endpoint({
  method: 'GET',
  path: '/settings/roles/menus/:id',
  access: 'settings-roles-menus',
  summary: 'All menus, which of them the role has, and what the role may do',
  params: z.object({ id: z.uuid() }),
  response: z.object({
    data: z.object({
      role: roleRow,
      menus: z.array(menuRow),
      chosen: z.array(z.uuid()),
      permissions: z.array(z.string()),
    }),
  }),
})

export const setRoleMenus = endpoint({
  method: 'PUT',
  path: '/settings/roles/menus/:id',
  access: 'settings-roles-menus',
  summary: 'Choose the menus of a role; 409 when somebody else changed the role since `version`',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ version: z.int().min(1), chosen: z.array(z.uuid()).max(1000) }),
  response: z.object({ data: roleRow }),
})

export const permissionRow = z.object({
  slug: z.string(),
  name: z.object({ en: z.string(), id: z.string() }),
  group: z.string(),
  builtIn: z.boolean(),
  roles: z.int(),
})
export type PermissionRow = z.output<typeof permissionRow>

export const readRolePermissions = endpoint({
  method: 'GET',
  path: '/settings/roles/permissions/:id',
  access: 'settings-roles-permissions',
  summary: 'Every permission, and which of them the role holds',
  params: z.object({ id: z.uuid() }),
  response: z.object({
    data: z.object({ role: roleRow, catalogue: z.array(permissionRow), held: z.array(z.string()) }),
  }),
})

export const setRolePermissions = endpoint({
  method: 'PUT',
  path: '/settings/roles/permissions/:id',
  access: 'settings-roles-permissions',
  summary: 'Set the permissions of a role; nobody gives what they do not hold, and an administrator always remains',
  params: z.object({ id: z.uuid() }),
  body: z.strictObject({ version: z.int().min(1), held: z.array(z.string().max(120)).max(2000) }),
  response: z.object({ data: roleRow }),
})

const permissionUse = z.object({
  routes: z.array(z.object({ method: z.string(), path: z.string() })),
  menus: z.array(z.object({ id: z.uuid(), name: z.object({ en: z.string(), id: z.string() }) })),
  roles: z.array(z.object({ id: z.uuid(), name: z.string() })),
})

export const readPermission = endpoint({
  method: 'GET',
  path: '/settings/permissions/:slug',
  access: 'settings-permissions-view',
  summary: 'One permission and everything that asks for it',
  params: z.object({ slug: z.string().max(120) }),
  response: z.object({ data: permissionRow.extend({ use: permissionUse }) }),
})

const permissionContent = z.strictObject({ name: localized, group: typedLine().min(1).max(60) })

export const createPermission = endpoint({
  method: 'POST',
  path: '/settings/permissions',
  access: 'settings-permissions-create',
  summary: 'Add a permission of one’s own; the role of who adds it holds it from then on',
  body: permissionContent.extend({
    slug: typedLine()
      .min(3)
      .max(120)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  }),
  response: z.object({ data: permissionRow }),
})

export const updatePermission = endpoint({
  method: 'PUT',
  path: '/settings/permissions/:slug',
  access: 'settings-permissions-update',
  summary: 'Rename a permission that is not built in',
  params: z.object({ slug: z.string().max(120) }),
  body: permissionContent,
  response: z.object({ data: permissionRow }),
})

export const removePermission = endpoint({
  method: 'DELETE',
  path: '/settings/permissions/:slug',
  access: 'settings-permissions-delete',
  summary: 'Delete a permission that is not built in and no menu asks for',
  params: z.object({ slug: z.string().max(120) }),
  response: z.object({ data: z.object({ slug: z.string() }) }),
})
