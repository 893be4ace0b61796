import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePage, useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

/** A page that is not built: its title (the layout shows its breadcrumb) and the way back, nothing else. */
export default function ComingLaterPage() {
  const { t } = useTranslation('common')
  const title = useScreenTitle()
  const back = usePage()?.breadcrumbs.findLast((crumb) => crumb.path && !crumb.path.includes(':'))?.path ?? '/'
  return (
    <>
      <PageHeader title={title} />
      <Anchor component={Link} to={back}>
        {t('goBack')}
      </Anchor>
    </>
  )
}
