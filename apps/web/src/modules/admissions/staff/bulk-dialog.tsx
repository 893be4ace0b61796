import { Anchor, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { previewBulk, runBulk } from '#domain/admissions/endpoints.ts'
import { listRegistrations } from '#domain/admissions/lists.ts'
import type { BulkAction } from '#domain/admissions/requested-actions.ts'
import type { BulkAnswer } from '#domain/admissions/schemas.ts'
import { issueNumbers, previewNumbers } from '#domain/students/endpoints.ts'
import { call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { boundTo } from '#web/api/use-form.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { useValues } from '#web/ui/form/use-values.ts'
import { undecidedPath } from './undecided.tsx'
import { useBlockedSentence } from './use-blocked-sentence.ts'

type Act = BulkAction | 'number'

const preview = (act: Act, ids: string[]) =>
  act === 'number' ? call(previewNumbers, { body: { ids } }) : call(previewBulk, { body: { action: act, ids } })

const run = (act: Act, ids: string[], reason: string) =>
  act === 'number'
    ? sendOnce(issueNumbers, { body: { ids } })
    : sendOnce(runBulk, { body: { action: act, ids, ...(act === 'reject' && { reason }) } })

type DialogProps = { act: Act; label: string; danger?: boolean; rows: readonly { id: string }[] } & DialogEnds

/** Previews which selected registrations the action will change and which not, with the reason, then runs it. */
export function RegistrationsBulkDialog({ act, label, danger, rows, onClose, onDone }: DialogProps) {
  const ids = rows.map(({ id }) => id)
  const { t } = useTranslation('staff')
  const queries = useQueryClient()
  const sentence = useBlockedSentence()
  const inputs = useValues({ reason: '' })
  const reason = inputs.values.reason.trim()
  const checks = boundTo(useChecks(runBulk, { action: act, ids, ...(act === 'reject' && { reason }) }), inputs)
  return (
    <BulkDialog
      title={ids.length > 1 ? t('bulk.titleMany', { action: label, count: ids.length }) : label}
      preview={async () => {
        const { items, intakes = [] } = (await preview(act, ids)).data
        const titledItems = items.map((item) => ({ ...item, title: item.name ?? item.code ?? '—' }))
        return {
          allowed: titledItems.filter(({ done }) => done),
          refused: titledItems
            .filter(({ done }) => !done)
            .map((item) => ({ ...item, reason: sentence(item.reason, item.params) })),
          warned: {
            title: t('undecided.warned'),
            rows: titledItems.flatMap((item) =>
              item.warnings?.length ? [{ ...item, reason: item.warnings.join('; ') }] : [],
            ),
          },
          note: intakes.length > 0 && <Intakes intakes={intakes} onLeave={onClose} />,
        }
      }}
      will={(count) => [t('bulk.will', { count }), act === 'accept' && t('bulk.acceptHint')].filter(Boolean).join('. ')}
      run={async (allowed, skippedCount) => {
        const { data } = await run(act, allowed, reason)
        void queries.invalidateQueries({ queryKey: [listRegistrations.path] })
        const leftCount = data.refused + skippedCount
        return {
          message: [t('bulk.done', { count: data.done }), leftCount > 0 && t('bulk.notDone', { count: leftCount })]
            .filter(Boolean)
            .join('. '),
          partly: leftCount > 0,
        }
      }}
      button={(count) => (ids.length > 1 ? t('bulk.runMany', { action: label, count }) : label)}
      danger={danger ?? false}
      checks={checks}
      onDone={onDone}
      onClose={onClose}
    >
      {act === 'reject' && (
        <Textarea label={t('bulk.reason')} autosize minRows={2} data-autofocus {...checks.text('reason')} />
      )}
    </BulkDialog>
  )
}

type IntakesProps = { intakes: NonNullable<BulkAnswer['intakes']>; onLeave: () => void }

/** Per wave and track of the selection: applicants without a decision, and whether results are already published. */
function Intakes({ intakes, onLeave }: IntakesProps) {
  const { t } = useTranslation('staff')
  return (
    <Stack gap={4}>
      {intakes.map(({ waveId, trackId, name, undecided, published }) => (
        <div key={`${waveId} ${trackId}`}>
          {undecided > 0 && (
            <Text size="sm">
              {t('undecided.after', { what: name, count: undecided })}{' '}
              <Anchor component={Link} size="sm" to={undecidedPath(waveId, trackId)} onClick={onLeave}>
                {t('undecided.all')}
              </Anchor>
            </Text>
          )}
          {published && <Text size="sm">{t('undecided.published', { what: name })}</Text>}
        </div>
      ))}
    </Stack>
  )
}
