import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CardLayout, cardLayouts, downloadCards, previewCards, printCards } from '#domain/students/endpoints.ts'
import { call, download, pathOf } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { BulkDialog } from '#web/list/actions/bulk-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { bindingsOf, useValues } from '#web/ui/form/use-values.ts'

/** Prints the chosen students' cards and downloads them as a PDF; first says who gets another copy and who none. */
export function PrintCardsDialog({ rows, ...ends }: { rows: readonly { id: string }[] } & DialogEnds) {
  const { t } = useTranslation('students')
  const ids = rows.map(({ id }) => id)
  const { values, set } = useValues({ layout: (rows.length > 1 ? 'sheet' : 'card') as CardLayout, reason: '' })
  const [hasCopies, setHasCopies] = useState(false)
  const bodyFor = (chosen: string[]) => ({
    ids: chosen,
    layout: values.layout,
    reason: hasCopies ? values.reason.trim() : null,
  })
  const checks = useChecks(printCards, bodyFor(ids))
  const { text } = bindingsOf(values, set, checks.field)
  return (
    <BulkDialog
      title={t('act.print')}
      preview={async () => {
        const found = (await call(previewCards, { body: { ids } })).data.map((card) => ({
          ...card,
          title: card.name ?? '—',
        }))
        const again = found.filter(({ refusal, copies }) => refusal === null && copies > 0)
        setHasCopies(again.length > 0)
        return {
          allowed: found.filter(({ refusal }) => refusal === null),
          refused: found.flatMap((card) =>
            card.refusal ? [{ ...card, reason: t(`print.refusal.${card.refusal}`) }] : [],
          ),
          warned: {
            title: t('print.again'),
            rows: again.map((card) => ({ ...card, reason: t('print.copies', { count: card.copies }) })),
          },
        }
      }}
      will={(count) => t('print.will', { count })}
      run={async (allowed, skippedCount) => {
        const { data } = await sendOnce(printCards, { body: bodyFor(allowed) })
        await download(pathOf(downloadCards.path, { id: data.id }), `${data.id.slice(0, 8)}.pdf`)
        const done = t('print.done', { count: data.printed })
        return {
          message: skippedCount > 0 ? `${done}. ${t('print.left', { count: skippedCount })}` : done,
          partly: skippedCount > 0,
        }
      }}
      button={(count) => t('print.button', { count })}
      checks={checks}
      {...ends}
    >
      <Stack gap={4}>
        <Text size="sm" fw={600} id="card-layout">
          {t('print.layout')}
        </Text>
        <SegmentedControl
          aria-labelledby="card-layout"
          value={values.layout}
          onChange={(layout) => set({ layout })}
          data={cardLayouts.map((value) => ({ value, label: t(`print.layouts.${value}`) }))}
          orientation="vertical"
        />
      </Stack>
      {hasCopies && <ReasonInput label={t('print.reason')} description={t('print.reasonHelp')} {...text('reason')} />}
    </BulkDialog>
  )
}
