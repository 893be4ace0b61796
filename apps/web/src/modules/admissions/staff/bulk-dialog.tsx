import { Button, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listRegistrations, previewBulk, runBulk } from '#domain/admissions/endpoints.ts'
import { bulkActions } from '#domain/admissions/registration-actions.ts'
import { registrationTransitions } from '#domain/admissions/registration-status.ts'
import type { BulkAnswer } from '#domain/admissions/schemas.ts'
import { issueNumbers, previewNumbers } from '#domain/students/endpoints.ts'
import { call } from '#web/api/client.ts'
import { useSession } from '#web/app/session.tsx'
import { LoadingRows } from '#web/ui/loading-rows.tsx'
import { useBlockedSentence } from './use-blocked-sentence.ts'

export type Act = (typeof bulkActions)[number] | 'number'

const preview = (act: Act, ids: string[]) =>
  act === 'number'
    ? call(previewNumbers, { body: { ids } })
    : call(previewBulk, { body: { action: act, ids, ...(act === 'reject' && { reason: '---' }) } })

const run = (act: Act, ids: string[], reason: string) =>
  act === 'number'
    ? call(issueNumbers, { body: { ids } })
    : call(
        runBulk,
        { body: { action: act, ids, ...(act === 'reject' && { reason }) } },
        { idempotencyKey: crypto.randomUUID() },
      )

/** What the person may do to many registrations at once. */
export function useBulkActs(): Act[] {
  const { may } = useSession()
  return [
    ...bulkActions.filter(
      (action) => may(registrationTransitions[action].access) && (action !== 'confirm' || may('pendaftaran-confirm')),
    ),
    ...(may('npm-mahasiswa-update') ? (['number'] as const) : []),
  ]
}

type DialogProps = { act: Act; ids: string[]; onClose: () => void; onDone: () => void }

/** Tells for which of the selected registrations it will be done, and for which not and why, before it is. */
export function BulkDialog({ act, ids, onClose, onDone }: DialogProps) {
  const { t } = useTranslation(['staff', 'common'])
  const queries = useQueryClient()
  const sentence = useBlockedSentence()
  const [reason, setReason] = useState('')
  const [touched, setTouched] = useState(false)
  const [answer, setAnswer] = useState<BulkAnswer | null>(null)
  const [failure, setFailure] = useState('')
  const look = useMutation({
    mutationFn: () => preview(act, ids),
    onSuccess: ({ data }) => setAnswer(data),
    onError: (error) => setFailure(error.message),
  })
  const go = useMutation({
    mutationFn: () =>
      run(
        act,
        (answer?.items ?? []).filter(({ done }) => done).map(({ id }) => id),
        reason.trim(),
      ),
    onSuccess: ({ data }) => {
      notifications.show({
        color: data.refused > 0 ? 'yellow' : 'green',
        message: [t('bulk.done', { count: data.done }), data.refused > 0 && t('bulk.notDone', { count: data.refused })]
          .filter(Boolean)
          .join('. '),
      })
      void queries.invalidateQueries({ queryKey: [listRegistrations.path] })
      onDone()
    },
    onError: (error) => setFailure(error.message),
  })
  if (look.isIdle) look.mutate()
  const refused = (answer?.items ?? []).filter(({ done }) => !done)
  const reasonMissing = act === 'reject' && reason.trim().length < 3
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('bulk.title', { action: t(`bulk.${act}`), count: ids.length })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack>
        {failure && (
          <Text c="red.9" role="alert">
            {failure}
          </Text>
        )}
        {!answer && !failure && <LoadingRows rows={3} />}
        {answer && (
          <>
            <Text fw={600}>{answer.done > 0 ? t('bulk.will', { count: answer.done }) : t('bulk.nothing')}</Text>
            {act === 'accept' && answer.done > 0 && <Text size="sm">{t('bulk.acceptHint')}</Text>}
            {refused.length > 0 && (
              <>
                <Text fw={600}>{t('bulk.wont', { count: refused.length })}</Text>
                <List size="sm" style={{ maxHeight: 220, overflowY: 'auto' }} tabIndex={0}>
                  {refused.map((item) => (
                    <List.Item key={item.id}>
                      {item.name ?? item.code ?? '—'}: {sentence(item.reason, item.params)}
                    </List.Item>
                  ))}
                </List>
              </>
            )}
            {act === 'reject' && answer.done > 0 && (
              <Textarea
                label={t('bulk.reason')}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
                onBlur={() => setTouched(true)}
                error={touched && reasonMissing ? t('bulk.reasonNeeded') : undefined}
                autosize
                minRows={2}
                maxLength={500}
                data-autofocus
              />
            )}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:actions.cancel')}
          </Button>
          <Button
            disabled={!answer || answer.done === 0}
            loading={go.isPending}
            onClick={() => {
              setTouched(true)
              if (!reasonMissing) go.mutate()
            }}
          >
            {t('bulk.run', { count: answer?.done ?? 0 })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
