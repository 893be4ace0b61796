import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Answer } from '#domain/endpoint.ts'
import {
  type ApprovalRow,
  decideApproval,
  type readApprovalState,
  renewApproval,
  withdrawApproval,
} from '#domain/payments/approvals/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { useApprovalWords } from './words.ts'

type Props = { row: ApprovalRow; onDone: (() => void) | undefined; state: State | undefined }

type State = Answer<typeof readApprovalState>['data']

const decisionOf = ({ approve, reason }: { approve: boolean; reason: string }) => ({
  approve,
  ...(reason.trim() && { reason: reason.trim() }),
})

/** Approves or rejects a pending request, renews one whose bill has changed, or withdraws the reader's own. */
export function Decision({ row, state, onDone }: Props) {
  const { t } = useApprovalWords()
  const { user } = useSession()
  const queries = useQueryClient()
  const params = { id: row.id }
  // Another user may have decided, or the bill has changed.
  const onRefused = () => void queries.invalidateQueries()
  const form = useForm({
    call: decideApproval,
    params,
    start: { approve: true, reason: '' },
    body: decisionOf,
    done: (_, { approve }) => t(`approval.done.${approve ? 'approve' : 'reject'}`),
    onDone: () => onDone?.(),
    onRefused,
  })
  const withdrawing = useForm({
    call: withdrawApproval,
    params,
    done: t('approval.done.withdraw'),
    onDone: () => onDone?.(),
    onRefused,
  })
  const renewing = useForm({
    call: renewApproval,
    params,
    done: t('approval.done.renew'),
    onDone: () => onDone?.(),
    onRefused,
  })
  const busy = form.busy || withdrawing.busy || renewing.busy
  const formError = form.formError ?? withdrawing.formError ?? renewing.formError
  const isOwn = row.requestedBy.id === user?.id
  const { changed = false, impossible = null } = state ?? {}
  return (
    <Stack gap="sm" {...form.form}>
      <Obstacles state={state} busy={busy} onRenew={renewing.submit} />
      {row.whyNot ? (
        <>
          <Alert color="gray" variant="light" children={t(`whyNot.${row.whyNot}`)} />
          {isOwn && (
            <Button
              variant="default"
              w="fit-content"
              loading={busy}
              onClick={withdrawing.submit}
              children={t('approval.withdraw')}
            />
          )}
          <Failure>{formError}</Failure>
        </>
      ) : (
        <>
          <Textarea
            label={t('approval.say')}
            description={t('approval.sayHelp')}
            autosize
            minRows={2}
            {...form.text('reason')}
          />
          <Failure>{formError}</Failure>
          <Group data-decision>
            {!changed && !impossible && (
              <Button
                loading={busy}
                onClick={() => form.send(decisionOf({ ...form.values, approve: true })).catch(() => {})}
              >
                {t('approval.approve')}
              </Button>
            )}
            <Button
              variant="default"
              disabled={busy}
              onClick={() => {
                // From now on the form requires a reason; only rejecting needs one.
                form.set({ approve: false })
                const rejection = decisionOf({ ...form.values, approve: false })
                if (form.isReady() && rejection.reason) form.send(rejection).catch(() => {})
              }}
            >
              {t('approval.reject')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

type ObstaclesProps = { state: State | undefined; busy: boolean; onRenew: () => void }

/** Why the request cannot be approved: the bill has changed, or the requested effect is impossible. */
function Obstacles({ state, busy, onRenew }: ObstaclesProps) {
  const { t } = useApprovalWords()
  if (!state) return null
  const { changed, renewable, impossible } = state
  return (
    <>
      {changed && (
        <Alert color="orange" variant="light">
          <Stack gap="sm">
            <Text fw={600} size="sm">
              {t('approval.changed')}
            </Text>
            {t(renewable ? 'approval.changedText' : 'approval.changedOther')}
            {renewable && (
              <Button w="fit-content" loading={busy} onClick={onRenew}>
                {t('approval.renew')}
              </Button>
            )}
          </Stack>
        </Alert>
      )}
      {impossible && (
        <Alert color="orange" variant="light">
          <Text fw={600} size="sm">
            {t('approval.impossible')}
          </Text>
          {impossible}
        </Alert>
      )}
    </>
  )
}
