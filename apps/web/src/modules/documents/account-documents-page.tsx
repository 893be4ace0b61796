import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listAccountDocuments } from '#domain/documents/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { AccountLayout } from '#web/modules/accounts/settings/account-layout.tsx'
import { useSimLabel } from '#web/modules/applicants/more-data/driving-licence-form.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { SlotList } from './document-slots.tsx'

/** Documents of all registrations in one place. */
export default function AccountDocumentsPage() {
  const { t } = useTranslation('documents')
  const { data, error, refetch } = useEndpoint(listAccountDocuments, {})
  return (
    <AccountLayout simLabel={useSimLabel()}>
      {!data ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={4} height={96} />
      ) : data.data.length === 0 ? (
        <Card>
          <EmptyState title={t('noneAnywhere')}>
            <Button component={Link} to="/pendaftaran">
              {t('startRegistration')}
            </Button>
          </EmptyState>
        </Card>
      ) : (
        <Stack gap="xl" maw={760}>
          {data.data.map(({ registrationId, code, track, wave, open, documents }) => (
            <Stack key={registrationId} gap="sm">
              <div>
                <Title order={2}>{track}</Title>
                <Text c="dimmed">
                  {wave} · {code}
                </Text>
              </div>
              <SlotList documents={documents} open={open} />
            </Stack>
          ))}
        </Stack>
      )}
    </AccountLayout>
  )
}
