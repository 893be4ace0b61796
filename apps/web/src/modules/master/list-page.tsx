import { Suspense } from 'react'
import { useLocation } from 'react-router'
import { ImportButton } from '#web/modules/transfer/import-button.tsx'
import { targetOf } from '#web/resource/paths.ts'
import { ResourceList } from '#web/resource/resource-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { extrasOf } from './extras.tsx'

export default function MasterListPage() {
  const { entity } = targetOf(useLocation().pathname)!
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
