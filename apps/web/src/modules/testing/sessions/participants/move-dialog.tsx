import { Alert, List, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { moveParticipants, previewMove, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { listSessions } from '#domain/testing/sessions/lists.ts'
import { shortDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { session: SessionDetail; rows: readonly { id: string }[] } & DialogEnds

/** Moves people to another session of the wave, after showing who moves and their notice. */
export function MoveDialog({ session, rows, onDone, onClose }: Props) {
  const { t } = useTranslation('test-sessions')
  const { language } = useSurroundings()
  const params = { id: session.id }
  const ids = rows.map(({ id }) => id)
  const [toId, setToId] = useState<string | null>(null)
  const targets = useEndpoint(listSessions, {
    query: { waveId: session.waveId, period: 'upcoming', hasRoom: 'true', sort: 'date', per_page: 200 },
  })
  const preview = useEndpoint(
    previewMove,
    { params, body: { ids, toId: toId ?? '' } },
    { enabled: toId !== null, staleTime: 0 },
  )
  const judged = toId ? preview.data?.data : undefined
  const movable = judged?.allowed.map(({ id }) => id) ?? []
  const form = useForm({
    call: moveParticipants,
    params,
    body: { ids: movable.length > 0 ? movable : ids, toId: toId ?? undefined },
    done: ({ data }) => t('move.done', { count: data.moved }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  if (!targets.data) return <LoadingOrFailed error={targets.error} onRetry={targets.refetch} rows={1} />
  const options = targets.data.data
    .filter(({ id, state }) => id !== session.id && state !== 'inactive')
    .map(({ id, name, date, hours, free }) => ({
      value: id,
      label: t('move.option', { name, date: shortDate(date, language), hours, free }),
    }))
  const isTooSmall = judged !== undefined && judged.free < movable.length
  return (
    <DialogForm
      title={t('move.title')}
      form={form}
      submit={options.length > 0 ? t('move.button', { count: judged ? movable.length : ids.length }) : null}
      button={{ disabled: !judged || movable.length === 0 || isTooSmall }}
      onClose={onClose}
    >
      {options.length === 0 ? (
        <Text>{t('move.none')}</Text>
      ) : (
        <Select
          label={t('move.to')}
          placeholder={t('move.choose')}
          data={options}
          value={toId}
          searchable
          {...form.field('toId')}
          onChange={setToId}
        />
      )}
      {toId && !judged && <LoadingOrFailed error={preview.error} onRetry={preview.refetch} rows={3} />}
      {judged && (
        <Stack gap="md" role="status">
          {isTooSmall ? (
            <Alert color="orange" variant="light">
              {t('move.tooFew', { free: judged.free, people: movable.length })}
            </Alert>
          ) : (
            <Text fw={600}>{t('move.will', { count: movable.length })}</Text>
          )}
          <Text size="sm" c="dimmed">
            {judged.allowed.map(({ name }) => name).join(', ')}
          </Text>
          {judged.refused.length > 0 && (
            <Alert color="orange" variant="light" title={t('move.refused', { count: judged.refused.length })}>
              <List size="sm">
                {judged.refused.map(({ id, name, reason }) => (
                  <List.Item key={id}>
                    <strong>{name}</strong>: {t(`move.reasons.${reason}`)}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          {judged.notice && (
            <Alert color="gray" variant="light" title={t('move.notice')}>
              <Text fw={600}>{judged.notice.subject}</Text>
              <Text>{judged.notice.body}</Text>
            </Alert>
          )}
        </Stack>
      )}
    </DialogForm>
  )
}
