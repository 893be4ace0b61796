import { useMemo } from 'react'
import type { Entity } from '#entities/define/entity.ts'
import { problemsOf } from '#entities/define/rules.ts'
import type { Checked } from '#web/api/use-checks.ts'
import { useSurroundings } from '#web/ui/words.tsx'
import type { Values } from './form-values.ts'

/** The schema of the entity's rows, as the server makes it, and the rules between their fields. */
export function useSchemaOf(entity: Entity, isStored: boolean): Checked {
  const { language } = useSurroundings()
  return useMemo(
    () => ({
      load: async () => {
        const { createSchema, updateSchema } = await import('#entities/define/schema.ts')
        return {
          body: (isStored ? updateSchema : createSchema)(entity),
          rules: (given: Values) => problemsOf(entity, given, language),
        }
      },
    }),
    [entity, isStored, language],
  )
}
