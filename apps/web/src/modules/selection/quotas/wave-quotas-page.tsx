import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { readWaveQuotas } from '#domain/selection/quota-endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { RowChoice } from '#web/list/bar/row-choice.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { WaveQuotasForm } from './wave-quotas-form.tsx'

/** Places of all programmes of a wave by track; the wave is in the address. */
export default function WaveQuotasPage() {
  const { t } = useTranslation('selection')
  const title = useScreenTitle()
  const [search, setSearch] = useSearchParams()
  const waveId = search.get('wave')
  const { data, error, refetch } = useEndpoint(
    readWaveQuotas,
    { params: { id: waveId ?? '' } },
    { enabled: waveId !== null, refetchOnWindowFocus: false },
  )
  const quotas = data?.data
  return (
    <>
      <PageHeader title={title} description={t('wave.lead')} />
      <Stack>
        <Card>
          <RowChoice
            to="periode"
            label={t('form.wave')}
            withAsterisk
            value={waveId}
            onChange={(id) => setSearch(id ? { wave: id } : {}, { replace: true })}
          />
        </Card>
        {waveId && !quotas && <LoadingOrFailed error={error} onRetry={refetch} rows={8} />}
        {waveId &&
          quotas &&
          (quotas.programmes.length === 0 ? (
            <Card>
              <EmptyState title={t('whatIf.empty')} />
            </Card>
          ) : (
            <WaveQuotasForm key={waveId} waveId={waveId} quotas={quotas} onStale={refetch} />
          ))}
      </Stack>
    </>
  )
}
