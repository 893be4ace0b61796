import { Button, Input } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readStatement } from '#domain/payments/bills/endpoints.ts'
import { shortDate } from '#locales/format.ts'
import { download } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Statement of a registration: bills and payments line by line, with the balance. */
export function StatementCard({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const [failure, setFailure] = useState('')
  const { data, error, refetch } = useEndpoint(readStatement, { params: { id: registrationId } })
  if (error && !data) return <Missing what={t('statement.title')} error={error} onRetry={refetch} />
  if (!data || data.data.lines.length === 0) return null
  const { lines, balance } = data.data
  return (
    <Card title={t('statement.title')}>
      <Entries>
        {lines.map((line) => (
          <Entry
            key={`${line.what} ${line.reference}`}
            title={t(`statement.kind.${line.what}`)}
            end={<Money amount={line.debit > 0 ? line.debit : -line.credit} />}
            details={`${shortDate(line.at, language)} · ${line.reference}`}
          />
        ))}
        <Entry
          title={<strong>{t('statement.balance')}</strong>}
          end={
            <strong>
              <Money amount={balance} />
            </strong>
          }
        />
      </Entries>
      <Button
        mt="sm"
        variant="default"
        size="compact-md"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() =>
          download(`/pendaftaran/${registrationId}/statement.pdf`, 'statement.pdf', { language }).catch(
            (error: Error) => setFailure(error.message),
          )
        }
      >
        {t('statement.download')}
      </Button>
      {failure && (
        <Input.Error role="alert" mt="xs">
          {failure}
        </Input.Error>
      )}
    </Card>
  )
}
