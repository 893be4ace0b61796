import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CampusMapping, downloadCampusCsv, readCampusMapping } from '#domain/students/campus/endpoints.ts'
import { isIdentityField } from '#domain/students/campus/fields.ts'
import { download } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ReferenceSelect } from '#web/resource/form/reference-select.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { ColumnsCard } from './columns-card.tsx'

/** Columns of the CSV for the campus system, and its download. */
export default function CampusCsvPage() {
  const title = useScreenTitle()
  const { t } = useTranslation('campus')
  const { data, error, refetch } = useEndpoint(readCampusMapping, {}, { refetchOnWindowFocus: false })
  return (
    <>
      <PageHeader title={title} description={t('csv.text')} />
      {data ? (
        <Stack maw={860}>
          <ColumnsCard key={data.data.version} mapping={data.data} />
          <DownloadCard mapping={data.data} />
        </Stack>
      ) : (
        <LoadingOrFailed error={error} onRetry={refetch} rows={8} />
      )}
    </>
  )
}

/** A file with tens of thousands of students takes time. */
const timeoutMs = 10 * 60_000

function DownloadCard({ mapping: { columns } }: { mapping: CampusMapping }) {
  const { t } = useTranslation('campus')
  const { may } = useSession()
  const [waveId, setWaveId] = useState<string | null>(null)
  const [programmeId, setProgrammeId] = useState<string | null>(null)
  const fetching = useMutation({
    mutationFn: () =>
      download(
        downloadCampusCsv.path,
        'campus-system.csv',
        { ...(waveId && { waveId }), ...(programmeId && { programmeId }) },
        { timeoutMs },
      ),
  })
  const isRefused = columns.some(({ field }) => isIdentityField(field)) && !may('pendaftaran-profile-identity')
  return (
    <Card title={t('csv.downloadTitle')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ReferenceSelect to="periode" label={t('csv.wave')} value={waveId} onChange={setWaveId} clearable />
          <ReferenceSelect
            to="prodi"
            label={t('csv.programme')}
            value={programmeId}
            onChange={setProgrammeId}
            clearable
          />
        </SimpleGrid>
        {isRefused ? (
          <Alert color="yellow" variant="light" role="status">
            {t('csv.identityRight')}
          </Alert>
        ) : (
          <Text size="sm" c="dimmed">
            {t('csv.recorded')}
          </Text>
        )}
        <Failure>{fetching.error?.message}</Failure>
        <Group>
          <Button
            leftSection={<IconDownload size={18} aria-hidden />}
            disabled={isRefused}
            loading={fetching.isPending}
            onClick={() => fetching.mutate()}
          >
            {t('csv.download')}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}
