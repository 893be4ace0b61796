import { Stack, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { addNote, listNotes } from '#domain/admissions/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'

/** Internal notes about a registration; applicants never see them. */
export function Notes({ registrationId }: { registrationId: string }) {
  const { t } = useTranslation('staff')
  const { data, error, refetch } = useEndpoint(listNotes, { params: { id: registrationId } })
  const form = useForm({
    call: addNote,
    params: { id: registrationId },
    start: { body: '' },
    body: ({ body }) => ({ body: body.trim() }),
    opensAgain: true,
  })
  return (
    <Card title={t('detail.tabs.notes')}>
      <Stack>
        <PageForm form={form} submit={t('detail.addNote')} button={{ size: 'sm' }}>
          <Textarea
            label={t('detail.note')}
            description={t('detail.noteHint')}
            autosize
            minRows={2}
            {...form.text('body')}
          />
        </PageForm>
        {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={2} />}
        {data?.data.length === 0 && <EmptyState title={t('detail.noNotes')} />}
        {data?.data.map((note) => (
          <div key={note.id}>
            <Text size="sm" c="dimmed">
              {note.author}, <DateText value={note.createdAt} as="datetime" />
            </Text>
            <Text style={{ whiteSpace: 'pre-wrap' }}>{note.body}</Text>
          </div>
        ))}
      </Stack>
    </Card>
  )
}
