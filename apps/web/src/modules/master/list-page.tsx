import { Suspense } from 'react'
import { ImportButton } from '#web/modules/transfer/import-button.tsx'
import { ResourceList } from '#web/resource/resource-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { extrasOf } from './extras.tsx'
import { useTarget } from './use-target.ts'

export default function MasterListPage() {
  const { entity } = useTarget()
  const { actions: Actions, above: Above } = extrasOf(entity.slug)
  return (
    <>
      <Suspense>{Above && <Above />}</Suspense>
      <ResourceList
        key={entity.slug}
        entity={entity}
        title={useScreenTitle()}
        actions={
          <>
            <Suspense>{Actions && <Actions />}</Suspense>
            <ImportButton entity={entity} />
          </>
        }
      />
    </>
  )
}
