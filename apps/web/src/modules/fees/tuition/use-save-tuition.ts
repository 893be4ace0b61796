import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveTuitionGrid, type TuitionGrid } from '#domain/fees/endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import type { CellKey, TuitionEdits } from './use-tuition-edits.ts'

/** Saves the edited cells; amounts another user saved meanwhile become conflicts beside the cells. */
export function useSaveTuition(grid: TuitionGrid, edits: TuitionEdits, reload: () => unknown) {
  const { t } = useTranslation('fees')
  const [conflicts, setConflicts] = useState<Record<string, string>>({})
  const body = { waveId: grid.waveId, trackId: grid.trackId, cells: edits.changes() }
  const form = useForm({
    call: saveTuitionGrid,
    params: { parentId: grid.programme.id },
    body,
    done: t('grid.saved'),
    onRefused: ({ code, fieldMessages }) => {
      setConflicts(
        Object.fromEntries(
          Object.entries(fieldMessages).map(([field, sentence]) => [field.replace(/^cells\./, ''), sentence]),
        ),
      )
      // The other user's saved amounts become the base of these edits; no typed amount is lost.
      return code === 'stale_version' && reload()
    },
  })
  const invalidAmounts = Object.fromEntries(
    edits.changed.flatMap((key, index) => {
      const sentence = form.errorOf(`cells.${index}`)
      return sentence ? [[key, sentence]] : []
    }),
  )
  /** Discards the edits of these cells, or all. */
  const discard = (keys?: readonly CellKey[]) => {
    edits.forget(keys)
    setConflicts({})
    form.reset(body)
  }
  return {
    ...form,
    /** Sentences beside the cells: amounts another user saved meanwhile, and invalid amounts. */
    sentences: { ...invalidAmounts, ...conflicts },
    conflictingKeys: Object.keys(conflicts) as CellKey[],
    /** The edits stay until the saved amounts have been read. */
    save: () =>
      form.isReady() &&
      void form.send().then(
        () => discard(),
        () => {},
      ),
    discard,
  }
}
export type TuitionSaving = ReturnType<typeof useSaveTuition>
