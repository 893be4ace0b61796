import { useMemo } from 'react'
import type { Entity } from '#entities/define/entity.ts'
import { problemsOf } from '#entities/define/rules.ts'
import type { Checked } from '#web/api/use-problems.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import type { Values } from './form-values.ts'

/** Schema that the server validates the entity's rows with, and rules between fields. */
export function useSchemaOf(entity: Entity, isStored: boolean): Checked {
  const { language } = useSurroundings()
  return useMemo(
    () => ({
      load: async () => {
        const { createSchema, updateSchema } = await import('#entities/define/schema.ts')
        return {
          body: (isStored ? updateSchema : createSchema)(entity),
          rules: (values: Values) => problemsOf(entity, values, language),
        }
      },
    }),
    [entity, isStored, language],
  )
}
