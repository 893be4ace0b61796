import { Button, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { closeAskUs, openAskUs } from './ask-us-store.ts'

/** Opens the drawer of "Ask us"; links of mails lead here. Staff find the way to their inbox. */
export default function DrawerChatPage() {
  const { t } = useTranslation(['chat', 'inbox'])
  const { user } = useSession()
  const isApplicant = user?.role.name === applicantRole
  useEffect(() => {
    if (!isApplicant) return
    openAskUs()
    return closeAskUs
  }, [isApplicant])
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <Card>
        <Text mb="md">{t(isApplicant ? 'drawerText' : 'drawerStaffText')}</Text>
        <Group>
          {isApplicant ? (
            <Button onClick={openAskUs}>{t('ask')}</Button>
          ) : (
            <Button component={Link} to="/chat/private-chat">
              {t('inbox:title')}
            </Button>
          )}
        </Group>
      </Card>
    </>
  )
}
