import { z } from 'zod'
import { visitorStates } from '#domain/events/events.ts'
import { invalid } from '#server/platform/errors.ts'

const visitors = z.strictObject({
  eventId: z.uuid(),
  sessionId: z.uuid().optional(),
  state: z.enum(visitorStates).default('registered'),
})
const schools = z.strictObject({ provinceId: z.uuid().optional(), schoolTypeId: z.uuid().optional() })
const affiliates = z.strictObject({ kind: z.string().max(20).optional() })

/** Filters of an audience that no list declares; 422 for others. */
const reading =
  <S extends z.ZodType>(schema: S) =>
  (filters: Readonly<Record<string, string>>): z.output<S> => {
    const result = schema.safeParse(filters)
    if (!result.success) throw invalid({ filters: 'invalid_input' })
    return result.data
  }

export const visitorFilters = reading(visitors)
export const schoolFilters = reading(schools)
export const affiliateFilters = reading(affiliates)
