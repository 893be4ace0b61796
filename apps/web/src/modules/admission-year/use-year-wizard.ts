import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { sameWeekdayNextYear } from '#domain/admission-year/dates.ts'
import {
  createAdmissionYear,
  previewAdmissionYear,
  type YearEdit,
  type YearPlanInput,
  type YearPreview,
} from '#domain/admission-year/endpoints.ts'
import { optionalSections, type PricedSection, type YearSection } from '#domain/admission-year/sections.ts'
import type { Adjustment } from '#domain/fees/amounts.ts'
import type { FieldValue } from '#entities/define/row.ts'
import { type ApiError, call } from '#web/api/client.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useDraft } from '#web/ui/form/draft.tsx'

export const wizardSteps = ['source', 'dates', 'contents', 'prices', 'check'] as const
export type WizardStep = (typeof wizardSteps)[number]

type Plan = Required<Omit<YearPlanInput, 'prices'>> & { prices: Partial<Record<PricedSection, Adjustment>> }
type Draft = { id: string; step: WizardStep; plan: Plan }

const emptyDraft = (): Draft => ({
  id: crypto.randomUUID(),
  step: 'source',
  plan: {
    sourceYear: '',
    academicYear: '',
    shiftDays: sameWeekdayNextYear,
    contents: [...optionalSections],
    prices: {},
    skip: [],
    edits: {},
  },
})

/** State of the wizard: the draft, stored on the device until the year is written, and the server's preview of it. */
export function useYearWizard() {
  const [draft, setDraft, draftStore] = useDraft<Draft>('admission-year', emptyDraft())
  const { plan } = draft
  const [settledPlan] = useDebouncedValue(plan, 350)
  const preview = useQuery<{ data: YearPreview }, ApiError>({
    queryKey: [previewAdmissionYear.path, settledPlan],
    queryFn: ({ signal }) => call(previewAdmissionYear, { body: settledPlan }, { signal }),
    enabled: settledPlan.sourceYear !== '' && settledPlan.academicYear !== '',
    placeholderData: keepPreviousData,
    meta: { quietAs: 'yearPreview' },
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const bodyOf = ({ id, plan: { sourceYear, ...answers } }: Draft) => ({
    ...answers,
    sourceYear: sourceYear || undefined,
    id,
    fingerprint: preview.data?.data.fingerprint ?? '',
  })
  // The server refuses rows of the year with sentences, which the preview shows beside them.
  const checks = useChecks(createAdmissionYear, bodyOf(draft), {
    untouched: bodyOf(draftStore.restored ? { ...draft, plan: emptyDraft().plan } : draft),
  })
  const change = (next: Partial<Plan>) => setDraft((before) => ({ ...before, plan: { ...before.plan, ...next } }))
  return {
    id: draft.id,
    step: draft.step,
    plan,
    draftStore,
    preview,
    checks,
    yearPreview: preview.data?.data,
    /** Whether the preview on screen matches the current plan. */
    upToDate: settledPlan === plan && !preview.isFetching && !preview.isPlaceholderData,
    change,
    go: (step: WizardStep) => {
      // Clears refusals, because the reader has not seen the next step's questions yet.
      checks.reset(bodyOf(draft))
      setDraft((before) => ({ ...before, step }))
    },
    choose: (section: YearSection, isIncluded: boolean) =>
      change({ contents: isIncluded ? [...plan.contents, section] : plan.contents.filter((key) => key !== section) }),
    take: (id: string, isIncluded: boolean) =>
      change({ skip: isIncluded ? plan.skip.filter((skippedId) => skippedId !== id) : [...plan.skip, id] }),
    edit: (id: string, field: string, value: FieldValue) =>
      setDraft((before) => ({
        ...before,
        plan: {
          ...before.plan,
          edits: { ...before.plan.edits, [id]: { ...before.plan.edits[id], [field]: value } as YearEdit },
        },
      })),
    forgetEdits: (id: string) => {
      const { [id]: _, ...edits } = plan.edits
      change({ edits })
    },
    startAgain: () => {
      draftStore.clear()
      const next = emptyDraft()
      checks.reset(bodyOf(next))
      setDraft(next)
    },
  }
}
export type YearWizard = ReturnType<typeof useYearWizard>
