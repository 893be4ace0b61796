import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import type { Localized } from '#entities/define/language.ts'

export type MenuItem = {
  id: string
  name: Localized
  path: string | null
  icon: string | null
  children: MenuItem[]
}

export const menuItem: z.ZodType<MenuItem> = z.object({
  id: z.uuid(),
  name: z.object({ en: z.string(), id: z.string() }),
  path: z.string().nullable(),
  icon: z.string().nullable(),
  get children() {
    return z.array(menuItem)
  },
})

export const ownPermissions = endpoint({
  method: 'GET',
  path: '/auth/permissions',
  access: 'signed-in',
  summary: 'What the signed-in account may do',
  response: z.object({ data: z.array(z.object({ slug: z.string(), name: z.string() })) }),
})

export const ownMenus = endpoint({
  method: 'GET',
  path: '/auth/menus',
  access: 'signed-in',
  summary: 'The menu of the signed-in account',
  response: z.object({ data: z.array(menuItem) }),
})
