import { Suspense } from 'react'
import { useLocation } from 'react-router'
import { useScreenTitle } from '../../app/title.tsx'
import { targetOf } from '../../resource/paths.ts'
import { ResourceList } from '../../resource/resource-list.tsx'
import { ImportButton } from '../transfer/import-button.tsx'
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
