import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readTuitionGrid, saveTuitionGrid, type TuitionGrid } from '#domain/fees/endpoints.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import type { CellKey, TuitionEdits } from './use-tuition-edits.ts'

/** Saves the edited cells; amounts another user saved meanwhile become conflicts beside the cells. */
export function useSaveTuition(grid: TuitionGrid, edits: TuitionEdits, reload: () => Promise<unknown>) {
  const { t } = useTranslation('fees')
  const queries = useQueryClient()
  const [conflicts, setConflicts] = useState<Record<string, string>>({})
  const body = { waveId: grid.waveId, trackId: grid.trackId, cells: edits.changes() }
  const save = useMutation<unknown, ApiError>({
    mutationFn: async () => {
      const saved = await sendOnce(saveTuitionGrid, { params: { parentId: grid.programme.id }, body })
      await queries.cancelQueries({ queryKey: keyOf(readTuitionGrid) })
      void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/master/') })
      await reload()
      return saved
    },
    onSuccess: () => {
      edits.forget()
      setConflicts({})
      notifications.show({ message: t('grid.saved'), color: 'green' })
    },
    onError: async (error) => {
      const conflicts = Object.fromEntries(
        Object.entries(error.fieldMessages).map(([field, sentence]) => [field.replace(/^cells\./, ''), sentence]),
      )
      setConflicts(conflicts)
      // The other user's saved amounts become the base of these edits; no typed amount is lost.
      if (error.code === 'stale_version') await reload()
    },
  })
  const checks = useChecks(saveTuitionGrid, body, { refusal: save.error })
  const invalidAmounts = Object.fromEntries(
    edits.changed.flatMap((key, index) => {
      const sentence = checks.errorOf(`cells.${index}`)
      return sentence ? [[key, sentence]] : []
    }),
  )
  return {
    formProps: checks.form,
    /** Sentences beside the cells: amounts another user saved meanwhile, and invalid amounts. */
    sentences: { ...invalidAmounts, ...conflicts },
    conflictingKeys: Object.keys(conflicts) as CellKey[],
    error: save.error,
    isPending: save.isPending,
    save: () => checks.isReady() && save.mutate(),
    /** Discards the edits of these cells, or all. */
    discard: (keys?: readonly CellKey[]) => {
      edits.forget(keys)
      setConflicts({})
      save.reset()
    },
  }
}
export type TuitionSaving = ReturnType<typeof useSaveTuition>
