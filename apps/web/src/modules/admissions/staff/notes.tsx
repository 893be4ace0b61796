import { Button, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addNote, listNotes } from '#domain/admissions/endpoints.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { LoadingOrFailed } from '#web/ui/missing.tsx'

/** What staff tell each other about a registration; applicants never see it. */
export function Notes({ registrationId }: { registrationId: string }) {
  const send = useSend(addNote)
  const { t } = useTranslation('staff')
  const queries = useQueryClient()
  const [body, setBody] = useState('')
  const { data, error, refetch } = useEndpoint(listNotes, { params: { id: registrationId } })
  const note = { body: body.trim() }
  const add = useMutation<unknown, ApiError>({
    mutationFn: () => send({ params: { id: registrationId }, body: note }),
    onSuccess: () => {
      checks.reset({ body: '' })
      // What was typed meanwhile is another note.
      setBody((now) => (now.trim() === note.body ? '' : now))
      void queries.invalidateQueries({ queryKey: keyOf(listNotes) })
    },
  })
  const checks = useChecks(addNote, note, { refusal: add.error })
  return (
    <Card title={t('detail.tabs.notes')}>
      <Stack {...checks.form}>
        <Textarea
          label={t('detail.note')}
          description={t('detail.noteHint')}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          autosize
          minRows={2}
          maxLength={2000}
          {...checks.field('body')}
        />
        <Failure>{checks.unsaid}</Failure>
        <Button
          style={{ alignSelf: 'flex-start' }}
          size="sm"
          loading={add.isPending}
          onClick={() => checks.isReady() && add.mutate()}
        >
          {t('detail.addNote')}
        </Button>
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
