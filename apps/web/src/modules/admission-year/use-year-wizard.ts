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

/** What the wizard knows, kept on the device until the year is written, and what would come of it. */
export function useYearWizard() {
  const [draft, setDraft, kept] = useDraft<Draft>('admission-year', emptyDraft())
  const { plan } = draft
  const [settled] = useDebouncedValue(plan, 350)
  const preview = useQuery<{ data: YearPreview }, ApiError>({
    queryKey: [previewAdmissionYear.path, settled],
    queryFn: ({ signal }) => call(previewAdmissionYear, { body: settled }, { signal }),
    enabled: settled.sourceYear !== '' && settled.academicYear !== '',
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
  // The server tells what the rows of the year refuse; the preview shows it beside them.
  const checks = useChecks(createAdmissionYear, bodyOf(draft), {
    start: bodyOf(kept.restored ? { ...draft, plan: emptyDraft().plan } : draft),
  })
  const change = (next: Partial<Plan>) => setDraft((before) => ({ ...before, plan: { ...before.plan, ...next } }))
  return {
    id: draft.id,
    step: draft.step,
    plan,
    kept,
    preview,
    checks,
    shown: preview.data?.data,
    /** What is on screen is what the answers say. */
    upToDate: settled === plan && !preview.isFetching && !preview.isPlaceholderData,
    change,
    go: (step: WizardStep) => {
      // The questions of the next step were not asked yet.
      checks.reset(bodyOf(draft))
      setDraft((before) => ({ ...before, step }))
    },
    choose: (section: YearSection, wanted: boolean) =>
      change({ contents: wanted ? [...plan.contents, section] : plan.contents.filter((key) => key !== section) }),
    take: (id: string, wanted: boolean) =>
      change({ skip: wanted ? plan.skip.filter((one) => one !== id) : [...plan.skip, id] }),
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
      kept.clear()
      const next = emptyDraft()
      checks.reset(bodyOf(next))
      setDraft(next)
    },
  }
}
export type YearWizard = ReturnType<typeof useYearWizard>
