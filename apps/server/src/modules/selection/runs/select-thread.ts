import {
  type SelectionInput,
  type SelectionOutput,
  selectApplicants,
} from '#server/modules/selection/compute/select.ts'
import { answerWith } from '#server/platform/threads/thread-side.ts'

export type TimedOutput = SelectionOutput & { ms: number }

answerWith<SelectionInput, TimedOutput>(async function* (input) {
  const startMs = performance.now()
  const output = selectApplicants(input)
  yield { ...output, ms: Math.ceil(performance.now() - startMs) }
})
