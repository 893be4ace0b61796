import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listPublications, setPublication } from '#domain/admissions/endpoints.ts'
import type { Publication } from '#domain/admissions/schemas.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { dateTime } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DateTimePicker } from '#web/ui/form/dates.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Undecided } from './undecided.tsx'

/** Sets when applicants see the results of each wave and track. */
export function PublishResults() {
  const { t } = useTranslation('staff')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {t('publish.title')}
      </Button>
      <Modal
        opened={open}
        onClose={() => setOpen(false)}
        title={t('publish.title')}
        size="xl"
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      >
        {open && <Publications onLeave={() => setOpen(false)} />}
      </Modal>
    </>
  )
}

type Props = {
  onLeave?: () => void
  /** Limits the page to these tracks of a wave; by default all waves and tracks. */
  only?: { waveId: string; trackIds: readonly string[] }
}

/** By wave and track: how many are decided, and when results are shown. */
export function Publications({ onLeave, only }: Props) {
  const { t } = useTranslation('staff')
  const { data, error, refetch } = useEndpoint(listPublications, { query: only ? { waveId: only.waveId } : {} })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={4} />
  const rows = data.data.filter(({ trackId }) => !only || only.trackIds.includes(trackId))
  if (rows.length === 0) return <EmptyState title={t('publish.empty')} />
  return (
    <Stack>
      <Text>{t('publish.hint')}</Text>
      {rows.map((row) => (
        <PublicationRow key={`${row.waveId}:${row.trackId}:${row.version}`} row={row} {...(onLeave && { onLeave })} />
      ))}
    </Stack>
  )
}

function PublicationRow({ row, onLeave }: { row: Publication; onLeave?: () => void }) {
  const { t } = useTranslation('staff')
  const { language } = useSurroundings()
  const queries = useQueryClient()
  const calendar = universityCalendar()
  const intakeName = `${row.wave}, ${row.track}`
  // The calendar's day is that of the first publication.
  const suggestedAt = row.publishAt ?? (row.publishedAt ? null : row.plannedAt)
  const bodyOf = (publishAt: string | null | undefined) => ({
    waveId: row.waveId,
    trackId: row.trackId,
    publishAt,
    version: row.version,
  })
  const isComing = !row.publishedAt || row.waiting > 0 || row.publishAt !== null
  const form = useForm({
    call: setPublication,
    // `publishAt` is a time on the university's clock.
    start: { publishAt: suggestedAt ? calendar.wallTime(new Date(suggestedAt)) : null },
    body: ({ publishAt }) => bodyOf(publishAt ? calendar.momentOf(publishAt).toISOString() : undefined),
    done: t('publish.saved', { what: intakeName }),
    // Reloads, because another user may have published meanwhile.
    onRefused: () => void queries.invalidateQueries(),
  })
  return (
    <Stack gap={4} component="section" aria-label={intakeName} data-publication={intakeName} {...form.form}>
      <Text fw={600}>{intakeName}</Text>
      <Text size="sm">
        {t('publish.counts', { accepted: row.accepted, notAccepted: row.notAccepted, undecided: row.undecided })}
      </Text>
      <Undecided {...row} count={row.undecided} {...(onLeave && { onLeave })} />
      {row.publishedAt && (
        <Text size="sm">{t('publish.published', { time: dateTime(row.publishedAt, language) })}</Text>
      )}
      {isComing && (
        <>
          {row.publishedAt && <Text size="sm">{t('publish.waiting', { count: row.waiting })}</Text>}
          {row.publishAt && <Text size="sm">{t('publish.planned', { time: dateTime(row.publishAt, language) })}</Text>}
          {row.refusal !== null ? (
            <Text size="sm" c="dimmed">
              {row.refusal}
            </Text>
          ) : (
            <Group align="flex-end" gap="xs">
              <DateTimePicker
                label={t('publish.at')}
                valueFormat="DD MMM YYYY HH:mm"
                size="sm"
                w={220}
                {...form.value('publishAt')}
              />
              <Button size="sm" variant="default" loading={form.busy} onClick={form.submit}>
                {t('publish.set')}
              </Button>
              <ConfirmButton
                size="sm"
                message={
                  <>
                    <Text>{t('publish.confirmNow', { what: intakeName, count: row.waiting })}</Text>
                    <Undecided {...row} count={row.undecided} {...(onLeave && { onLeave })} />
                    {row.undecided > 0 && <Text size="sm">{t('undecided.later')}</Text>}
                  </>
                }
                onConfirm={() => form.send({ ...bodyOf(new Date().toISOString()), waiting: row.waiting })}
              >
                {t('publish.now')}
              </ConfirmButton>
              {row.publishAt && (
                <Button size="sm" variant="subtle" onClick={() => form.send(bodyOf(null)).catch(() => {})}>
                  {t('publish.takeBack')}
                </Button>
              )}
            </Group>
          )}
          <Failure>{form.formError}</Failure>
        </>
      )}
    </Stack>
  )
}
