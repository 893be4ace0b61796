import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { searchKinds } from './kinds.ts'

const hit = z.object({
  id: z.uuid(),
  /** Registration of the hit, if any. */
  registrationId: z.uuid().nullable(),
  title: z.string(),
  /** Its code or number. */
  code: z.string().nullable(),
  /** Study programme, city, bank or role, to tell equal names apart. */
  note: z.string().nullable(),
  status: z.string().nullable(),
})

export type SearchHit = z.output<typeof hit>

export const searchEverything = endpoint({
  method: 'GET',
  path: '/search',
  access: 'signed-in',
  summary:
    'What the caller may see of people, schools and numbers beginning with or containing some words, five of each',
  query: z.strictObject({
    q: typedLine().min(navigationConstants.searchMinimumLength).max(100),
  }),
  response: z.object({
    data: z.array(z.object({ kind: z.enum(searchKinds), hits: z.array(hit) })),
  }),
})
