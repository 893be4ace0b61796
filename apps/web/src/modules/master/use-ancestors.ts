import { useQuery } from '@tanstack/react-query'
import type { Entity } from '#entities/define/entity.ts'
import type { Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { getEntity } from '#entities/index.ts'
import { call } from '#web/api/client.ts'
import { viewPath } from '#web/resource/paths.ts'
import { titleOf } from '#web/resource/words.ts'
import type { OwnCrumb } from '#web/shell/title.tsx'

const none: OwnCrumb[] = []

/** Breadcrumbs of the parent rows, topmost first: province, city, district. */
export function useAncestors({ parent }: Entity, parentId: string | undefined): OwnCrumb[] {
  const { data = none } = useQuery({
    queryKey: ['above', parent?.slug, parentId],
    enabled: parent !== undefined && parentId !== undefined,
    staleTime: 60_000,
    meta: { quietAs: 'ancestors' },
    queryFn: async () => {
      const ancestors: OwnCrumb[] = []
      for (let next = parent, id = parentId; next && id; ) {
        const entity = getEntity(next.slug)
        const { data: row } = (await call(endpointsOf(entity).read, { params: { id } })) as unknown as { data: Row }
        ancestors.unshift({ title: titleOf(entity, row), path: viewPath(entity, id) })
        next = entity.parent
        id = next && String(row[next.field])
      }
      return ancestors
    },
  })
  return data
}
