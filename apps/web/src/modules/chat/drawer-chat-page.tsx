import { Button, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { showAsk } from './ask-store.ts'

/** Opens the applicant's conversation. Staff see a link to the inbox if they may open the inbox. */
export default function DrawerChatPage() {
  const { t } = useTranslation(['chat', 'navigation'])
  const { user, may } = useSession()
  const isApplicant = user?.role.name === applicantRole
  useEffect(() => {
    if (isApplicant) showAsk(true)
  }, [isApplicant])
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <Card>
        <Text mb="md">{t(isApplicant ? 'onEveryPage' : 'ofApplicants')}</Text>
        {isApplicant ? (
          <Button onClick={() => showAsk(true)}>{t('open')}</Button>
        ) : (
          may('private-chat') && (
            <Button component={Link} to="/chat/private-chat">
              {t('toInbox')}
            </Button>
          )
        )}
      </Card>
    </>
  )
}
