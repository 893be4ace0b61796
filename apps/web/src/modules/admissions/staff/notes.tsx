import { Button, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addNote, listNotes } from '#domain/admissions/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/missing.tsx'

/** What staff tell each other about a registration; applicants never see it. */
export function Notes({ registrationId }: { registrationId: string }) {
  const send = useSend(addNote)
  const { t } = useTranslation('staff')
  const queries = useQueryClient()
  const [body, setBody] = useState('')
  const { data, error, refetch } = useEndpoint(listNotes, { params: { id: registrationId } })
  const add = useMutation({
    mutationFn: () => send({ params: { id: registrationId }, body: { body: body.trim() } }),
    onSuccess: () => {
      setBody('')
      void queries.invalidateQueries({ queryKey: keyOf(listNotes) })
    },
  })
  return (
    <Card title={t('detail.tabs.notes')}>
      <Stack>
        <Textarea
          label={t('detail.note')}
          description={t('detail.noteHint')}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          autosize
          minRows={2}
          maxLength={2000}
          error={add.error?.message}
        />
        <Button
          style={{ alignSelf: 'flex-start' }}
          size="sm"
          disabled={!body.trim()}
          loading={add.isPending}
          onClick={() => add.mutate()}
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
