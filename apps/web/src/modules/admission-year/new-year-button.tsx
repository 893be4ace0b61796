import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/shell/session/session.tsx'

/** Link to the wizard for a new admission year, beside the list of waves. */
export default function NewYearButton() {
  const { t } = useTranslation('admission-year')
  const { may } = useSession()
  if (!may('master-periode-create')) return null
  return (
    <Button
      variant="default"
      component={Link}
      to="/master/periode/new-year"
      leftSection={<IconCalendarPlus size={18} aria-hidden="true" />}
    >
      {t('open')}
    </Button>
  )
}
