import { useScreenTitle } from '#web/app/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

export default function OutboxPage() {
  return <PageHeader title={useScreenTitle()} />
}
