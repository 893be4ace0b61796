import { useState } from 'react'
import type { Typed } from '#web/modules/applicants/form/section-fields.ts'
import { useDraft } from '#web/ui/form/draft.tsx'

/**
 * Answers typed but not saved. An applicant's answers are stored on the device; those staff type about an applicant
 * stay in memory. `start` holds known values of answers that were never saved.
 */
export function useTypedAnswers(name: string, isStaff: boolean, start: Typed) {
  const [deviceAnswers, setDeviceAnswers, draft] = useDraft<Typed>(name, start)
  const [memoryAnswers, setMemoryAnswers] = useState<Typed>({})
  const [typedAnswers, setTypedAnswers] = isStaff
    ? [memoryAnswers, setMemoryAnswers]
    : [deviceAnswers, setDeviceAnswers]
  const dirty = Object.keys(typedAnswers).length > 0
  const [restored, setRestored] = useState(!isStaff && draft.restored && dirty)
  return {
    typedAnswers,
    setTypedAnswers,
    dirty,
    restored: restored && dirty,
    discard: () => {
      setTypedAnswers({})
      if (!isStaff) draft.clear()
      setRestored(false)
    },
  }
}
