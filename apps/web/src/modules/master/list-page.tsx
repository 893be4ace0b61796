import { useLocation } from 'react-router'
import { useScreenTitle } from '../../app/title.tsx'
import { targetOf } from '../../resource/paths.ts'
import { ResourceList } from '../../resource/resource-list.tsx'

export default function MasterListPage() {
  const { entity } = targetOf(useLocation().pathname)!
  return <ResourceList key={entity.slug} entity={entity} title={useScreenTitle()} />
}
