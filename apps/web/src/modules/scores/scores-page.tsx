import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Answer } from '#domain/endpoint.ts'
import { readScoreChoices, type readScoreImport, uploadScores } from '#domain/scores/endpoints.ts'
import { listScoreImports } from '#domain/scores/lists.ts'
import { shortDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { ScoreTabs } from './score-tabs.tsx'
import { toneOf } from './words.ts'

const acceptedTypes = ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv']
const maxBytes = 30_000_000

/** Uploads a score file and lists earlier ones. */
export default function ScoresPage() {
  const { t } = useTranslation('scores')
  const title = useScreenTitle()
  return (
    <>
      <PageHeader title={title} description={t('text')} />
      <ScoreTabs tab="import" />
      <Stack>
        <SendCard />
        <ListCard
          list={listScoreImports}
          prefix="i."
          title={t('imports.title')}
          rowTitle={({ fileName }) => fileName}
          href={({ id }) => `/import-nilai-cbt/${id}`}
          cells={{
            status: ({ status }) => <StatusDot tone={toneOf[status]} label={t(`status.${status}`)} />,
            session: ({ session }) => session ?? t('send.everySession'),
          }}
          empty={{ title: t('imports.empty'), text: t('imports.emptyText') }}
        />
      </Stack>
    </>
  )
}

function SendCard() {
  const { t } = useTranslation('scores')
  const { language } = useSurroundings()
  const navigate = useNavigate()
  const { data: answer, error, refetch } = useEndpoint(readScoreChoices)
  const [chosenWave, setChosenWave] = useState<string | null>(null)
  const [session, setSession] = useState('')
  const choices = answer?.data
  const waveId = chosenWave ?? choices?.waves[0]?.id ?? null
  const sessions = choices?.sessions.filter((one) => one.waveId === waveId) ?? []
  const onSend = async (file: File, onProgress: (share: number) => void, signal: AbortSignal) => {
    const form = new FormData()
    form.append('file', file)
    const query = new URLSearchParams({ waveId: waveId ?? '', ...(session && { testSessionId: session }) })
    const path = `${uploadScores.path}?${query}`
    const { data } = await upload<Answer<typeof readScoreImport>>(path, form, onProgress, { signal })
    navigate(`/import-nilai-cbt/${data.id}`)
  }
  return (
    <Card title={t('send.title')}>
      {!choices ? (
        <LoadingOrFailed error={error} onRetry={refetch} rows={3} />
      ) : (
        <Stack gap="sm">
          <Select
            label={t('send.wave')}
            value={waveId}
            onChange={(id) => {
              setChosenWave(id)
              setSession('')
            }}
            data={choices.waves.map(({ id, name }) => ({ value: id, label: name }))}
            allowDeselect={false}
            searchable
            maw={480}
          />
          <Select
            label={t('send.session')}
            description={t('send.sessionHelp')}
            value={session}
            onChange={(id) => setSession(id ?? '')}
            data={[
              { value: '', label: t('send.everySession') },
              ...sessions.map(({ id, name, date }) => ({ value: id, label: `${name} · ${shortDate(date, language)}` })),
            ]}
            allowDeselect={false}
            searchable
            maw={480}
          />
          {waveId ? (
            <FileDrop
              label={t('send.file')}
              accept={acceptedTypes}
              maxBytes={maxBytes}
              shrink={false}
              hint={t('send.hint')}
              onSend={onSend}
            />
          ) : (
            <Text c="dimmed">{t('send.waveFirst')}</Text>
          )}
        </Stack>
      )}
    </Card>
  )
}
