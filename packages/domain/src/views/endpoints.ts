import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { typedLine } from '#entities/define/typed-text.ts'

const view = z.object({
  id: z.uuid(),
  name: z.string(),
  query: z.string(),
  columns: z.array(z.string()),
  isDefault: z.boolean(),
})
export type SavedView = z.output<typeof view>

const answer = z.object({ data: view })
const content = z.strictObject({
  name: typedLine().min(1).max(60),
  query: z.string().max(2000),
  columns: z.array(z.string().max(60)).max(60),
  isDefault: z.boolean().default(false),
})

export const listViews = endpoint({
  method: 'GET',
  path: '/views',
  access: 'signed-in',
  summary: 'Own saved views of one list, by name',
  query: z.strictObject({ list: z.string().min(1).max(80) }),
  response: z.object({ data: z.array(view) }),
})

export const createView = endpoint({
  method: 'POST',
  path: '/views',
  access: 'signed-in',
  summary: 'Keep filters, order and columns of a list under a name; the same name is refused',
  body: content.extend({ list: z.string().min(1).max(80) }),
  response: answer,
})

export const updateView = endpoint({
  method: 'PUT',
  path: '/views/:id',
  access: 'signed-in',
  summary: 'Change a saved view: its name, what it shows, whether the list opens with it',
  params: z.object({ id: z.uuid() }),
  body: content,
  response: answer,
})

export const removeView = endpoint({
  method: 'DELETE',
  path: '/views/:id',
  access: 'signed-in',
  summary: 'Forget a saved view',
  params: z.object({ id: z.uuid() }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})
