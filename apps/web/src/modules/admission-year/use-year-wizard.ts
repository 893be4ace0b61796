import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { sameWeekdayNextYear } from '#domain/admission-year/dates.ts'
import {
  createAdmissionYear,
  previewAdmissionYear,
  type YearCopy,
  type YearEdit,
  type YearPlanInput,
  type YearPreview,
} from '#domain/admission-year/endpoints.ts'
import { optionalSections, type PricedSection, type YearSection } from '#domain/admission-year/sections.ts'
import type { Adjustment } from '#domain/fees/amounts.ts'
import type { FieldValue } from '#entities/define/row.ts'
import { type ApiError, call } from '#web/api/client.ts'
import { useForm } from '#web/api/use-form.ts'
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

/**
 * State of the wizard: the draft, stored on the device until the year is written, the server's preview of it, and the
 * form that writes it.
 */
export function useYearWizard(onWritten: (copy: YearCopy) => void) {
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
  const yearPreview = preview.data?.data
  const bodyOf = ({ id, plan: { sourceYear, contents, ...answers } }: Draft) => ({
    ...answers,
    sourceYear: sourceYear || undefined,
    // The draft may name sections the reader may not write; they stay unticked.
    contents: contents.filter((key) =>
      yearPreview?.sections.some((section) => section.key === key && section.missing.length === 0),
    ),
    id,
    fingerprint: yearPreview?.fingerprint ?? '',
  })
  // The server refuses rows of the year with sentences, which the preview shows beside them.
  const form = useForm({
    call: createAdmissionYear,
    body: bodyOf(draft),
    untouched: bodyOf(draftStore.restored ? { ...draft, plan: emptyDraft().plan } : draft),
    onDone: ({ data }) => {
      startAgain()
      onWritten(data)
    },
    // A new preview shows obstacles that appeared meanwhile.
    onRefused: () => void preview.refetch(),
  })
  function startAgain() {
    const next = emptyDraft()
    form.reset(bodyOf(next))
    setDraft(next)
    draftStore.clear()
  }
  const change = (next: Partial<Plan>) => setDraft((before) => ({ ...before, plan: { ...before.plan, ...next } }))
  return {
    id: draft.id,
    step: draft.step,
    plan,
    draftStore,
    preview,
    form,
    yearPreview,
    /** Whether the preview on screen matches the current plan. */
    upToDate: settledPlan === plan && !preview.isFetching && !preview.isPlaceholderData,
    change,
    go: (step: WizardStep) => {
      // Clears refusals, because the reader has not seen the next step's questions yet.
      form.reset(bodyOf(draft))
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
    startAgain,
  }
}
export type YearWizard = ReturnType<typeof useYearWizard>
