import { Alert } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type FeederBulk,
  previewFeederSending,
  sendToFeeder,
  stopFeederSending,
} from '#domain/students/feeder/endpoints.ts'
import type { FeederTarget } from '#domain/students/feeder/fields.ts'
import { call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'

type Props = { ids: readonly string[] } & DialogEnds

const titleOf = ({ name, npm }: FeederBulk['items'][number]) => [name ?? '—', npm].filter(Boolean).join(' · ')

/** Shows which students would be sent to which register and the others' problems; the button sends them. */
export function SendDialog({ ids, ...ends }: Props) {
  const { t } = useTranslation('feeder')
  const [target, setTarget] = useState<FeederTarget>('sandbox')
  return (
    <BulkDialog
      title={t('send.title')}
      preview={async () => {
        const { data } = await call(previewFeederSending, { body: { ids: [...ids] } })
        setTarget(data.target)
        return {
          allowed: data.items
            .filter(({ reason }) => reason === null)
            .map((item) => ({ id: item.id, title: titleOf(item) })),
          refused: data.items.flatMap((item) =>
            item.reason === null
              ? []
              : [
                  {
                    id: item.id,
                    title: titleOf(item),
                    reason: t(`refusal.${item.reason}`, {
                      problems: item.problems
                        .map(({ field, problem }) => `${field} (${t(`problem.${problem}`)})`)
                        .join(', '),
                    }),
                  },
                ],
          ),
          note: data.target === 'live' && data.done > 0 && (
            <Alert color="orange" variant="light" children={t('send.live')} />
          ),
        }
      }}
      will={(count) => t('send.will', { count, target: t(`target.${target}`) })}
      run={async (allowed, skippedCount) => {
        const { data } = await sendOnce(sendToFeeder, { body: { ids: allowed } })
        return { message: t('send.done', { count: data.done }), partly: data.refused + skippedCount > 0 }
      }}
      button={(count) => (ids.length > 1 ? t('send.many', { count }) : t('send.action'))}
      {...ends}
    />
  )
}

/** Removes waiting students from the sending queue. */
export function StopDialog({ ids, ...ends }: Props) {
  const { t } = useTranslation('feeder')
  return (
    <BulkDialog
      title={t('stop.title')}
      preview={async () => {
        const { data } = await call(previewFeederSending, { body: { ids: [...ids] } })
        const isWaiting = (item: FeederBulk['items'][number]) => item.reason === 'waiting'
        return {
          allowed: data.items.filter(isWaiting).map((item) => ({ id: item.id, title: titleOf(item) })),
          refused: data.items
            .filter((item) => !isWaiting(item))
            .map((item) => ({ id: item.id, title: titleOf(item), reason: t('refusal.not_waiting') })),
        }
      }}
      will={(count) => t('stop.will', { count })}
      run={async (allowed) => {
        const { data } = await sendOnce(stopFeederSending, { body: { ids: allowed } })
        return { message: t('stop.done', { count: data.done }), partly: data.refused > 0 }
      }}
      button={(count) => (ids.length > 1 ? t('stop.many', { count }) : t('stop.button'))}
      {...ends}
    />
  )
}
