import { useState } from 'react'
import type { Answer } from '#domain/endpoint.ts'
import { readScoreEntry, recordScore, type ScoreRow } from '#domain/scores/endpoints.ts'
import { ApiError } from '#web/api/client.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useDraft } from '#web/ui/form/draft.tsx'
import { isSaved, readTyped, textsOf } from './typed-scores.ts'

type Entry = { testSessionId: string; testId: string; assessed: boolean }
type RowState = { saving?: boolean; failure?: string; needsReason?: boolean }

/** Unsaved texts of the grid, kept on this device, and the state of each row. */
export function useScoreDrafts({ testSessionId, testId, assessed }: Entry) {
  const [drafts, setDrafts] = useDraft<Record<string, string[]>>(`scores:${testSessionId}:${testId}`, {})
  const [states, setStates] = useState<Record<string, RowState>>({})
  const queryKey = keyOf(readScoreEntry, { query: { testSessionId, testId } })
  const setState = (id: string, state: RowState) => setStates((before) => ({ ...before, [id]: state }))
  const forget = (id: string) =>
    setDrafts((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== id)))

  const textsAt = (row: ScoreRow) => drafts[row.registrationId] ?? textsOf(row, assessed)

  const type = (row: ScoreRow, column: number, text: string) =>
    setDrafts((before) => ({
      ...before,
      [row.registrationId]: (before[row.registrationId] ?? textsOf(row, assessed)).map((one, index) =>
        index === column ? text : one,
      ),
    }))

  /** Saves a row if its texts are numbers and differ from the stored ones. */
  async function save(row: ScoreRow, maxScore: number, reason: string | null = null) {
    const { registrationId: id, version } = row
    const texts = textsAt(row)
    const values = texts.map(readTyped)
    if (states[id]?.saving || values.some((value) => value === undefined || (value !== null && value > maxScore)))
      return
    if (isSaved(row, texts, assessed)) return forget(id)
    if (row.needsReason && reason === null) return setState(id, { needsReason: true })
    setState(id, { saving: true })
    const typed = values as (number | null)[]
    try {
      const { data } = await sendOnce(recordScore, {
        params: { id },
        body: { testId, version, ...(assessed ? { marks: typed } : { score: typed[0]! }), reason },
      })
      queryClient.setQueryData<Answer<typeof readScoreEntry>>(
        queryKey,
        (before) =>
          before && {
            data: { ...before.data, rows: before.data.rows.map((one) => (one.registrationId === id ? data : one)) },
          },
      )
      forget(id)
      setState(id, {})
    } catch (error) {
      setState(id, { failure: (error as Error).message })
      // Another account recorded this score: show it next to the typed one.
      if (error instanceof ApiError && error.code === 'stale_version') void queryClient.invalidateQueries({ queryKey })
    }
  }

  return {
    textsAt,
    type,
    save,
    stateOf: (id: string): RowState => states[id] ?? {},
    setState,
    unsaved: Object.keys(drafts),
  }
}
export type ScoreDrafts = ReturnType<typeof useScoreDrafts>
