import { List, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listScoreVersions, type ScoreRow, type TestChoice } from '#domain/scores/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { scoreText } from './words.ts'

type Props = { row: ScoreRow; test: TestChoice; onClose: () => void }

/** All values that a person's score in a test has had. */
export function HistoryDialog({ row, test, onClose }: Props) {
  const { t } = useTranslation('scores')
  const { say, language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(
    listScoreVersions,
    { params: { id: row.registrationId } },
    { staleTime: 0 },
  )
  const versions = data?.data.filter(({ testId }) => testId === test.id)
  const partsOf = (parts: Record<string, number>) =>
    Object.entries(parts).map(([name, value]) => `${partName(name)} ${scoreText(value)}`)
  const partName = (name: string) => (/^assessor[123]$/.test(name) ? t(`entry.${name as 'assessor1'}`) : name)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('entry.historyOf', { name: row.name })}
      closeButtonProps={{ 'aria-label': say('actions.close') }}
    >
      {!versions ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
      ) : (
        <Stack gap="sm">
          <Text c="dimmed">{versions.length === 0 ? t('entry.historyEmpty') : t('entry.historyText')}</Text>
          <List listStyleType="none">
            {versions.map((one) => (
              <List.Item key={one.version}>
                <Text fw={600}>
                  {one.score === null && Object.keys(one.parts).length === 0
                    ? t('entry.takenAway')
                    : [scoreText(one.score) || '–', ...partsOf(one.parts), one.package].filter(Boolean).join(' · ')}
                </Text>
                <Text size="sm" c="dimmed">
                  {[dateTime(one.recordedAt, language), one.recordedBy, one.file].filter(Boolean).join(' · ')}
                </Text>
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Modal>
  )
}
