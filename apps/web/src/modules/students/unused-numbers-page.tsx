import { List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { numberGaps } from '#domain/students/endpoints.ts'
import { listWithdrawnNumbers } from '#domain/students/lists.ts'
import { wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { NumberTabs } from './number-tabs.tsx'

/** Student numbers that belong to nobody: withdrawn, or counted but never issued. */
export default function UnusedNumbersPage() {
  const { t } = useTranslation('students')
  const { may } = useSession()
  return (
    <>
      <PageHeader title={useScreenTitle()} />
      <NumberTabs tab="unused" />
      <Stack>
        <ListCard
          prefix="w"
          list={listWithdrawnNumbers}
          rowId={({ npm }) => npm}
          title={t('withdrawn.title')}
          searchLabel={t('withdrawn.search')}
          rowTitle={({ npm, name }) => `${npm} · ${name}`}
          href={({ registrationId }) => (may('pendaftaran-view') ? `/pendaftaran/${registrationId}` : undefined)}
          empty={{ title: t('withdrawn.empty'), text: t('withdrawn.emptyText') }}
        />
        <Gaps />
      </Stack>
    </>
  )
}

function Gaps() {
  const { t } = useTranslation('students')
  const { data, error, refetch } = useEndpoint(numberGaps)
  return (
    <Card title={t('gaps.title')}>
      {error && !data && <LoadFailed error={error} onRetry={refetch} />}
      {!error && !data && <LoadingRows rows={2} />}
      {data && (
        <Stack gap="xs">
          <Text c="dimmed">{data.data.length > 0 ? t('gaps.text') : t('gaps.none')}</Text>
          <List>
            {data.data.map(({ scope, first, last, restored }) => (
              <List.Item key={`${scope} ${first}`}>
                {t('gaps.scope', { scope })}:{' '}
                {first === last
                  ? t('gaps.one', { number: wholeNumber(first) })
                  : t('gaps.range', {
                      first: wholeNumber(first),
                      last: wholeNumber(last),
                      count: last - first + 1,
                    })}
                {restored && ` · ${t('gaps.restored')}`}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Card>
  )
}
