export const documentStatuses = ['empty', 'uploaded', 'approved', 'rejected', 'waived', 'deferred'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** `enrolment`: requested once the place is confirmed. */
export const documentStages = ['registration', 'enrolment'] as const
export type DocumentStage = (typeof documentStages)[number]

type Transition = {
  from: readonly DocumentStatus[]
  /** `before`: status before the decision: `uploaded` if there is a file, else `empty`. */
  to: DocumentStatus | 'before'
  /** Permission the API checks. */
  access: string
  /** Input besides actor and time. */
  needs?: 'file' | 'reason' | 'until'
}

/** Transitions of a document slot. Server guards, endpoints and buttons read this table. */
export const documentTransitions = {
  upload: {
    from: ['empty', 'uploaded', 'rejected', 'deferred'],
    to: 'uploaded',
    access: 'pendaftaran-edit',
    needs: 'file',
  },
  approve: { from: ['uploaded'], to: 'approved', access: 'pendaftaran-verify' },
  reject: { from: ['uploaded'], to: 'rejected', access: 'pendaftaran-verify', needs: 'reason' },
  waive: { from: ['empty', 'uploaded', 'rejected', 'deferred'], to: 'waived', access: 'pendaftaran-verify' },
  /** By the applicant, once, for the days in the settings. */
  postpone: { from: ['empty'], to: 'deferred', access: 'pendaftaran-edit' },
  defer: { from: ['empty', 'rejected'], to: 'deferred', access: 'pendaftaran-verify', needs: 'until' },
  reopen: {
    from: ['approved', 'rejected', 'waived', 'deferred'],
    to: 'before',
    access: 'pendaftaran-verify',
    needs: 'reason',
  },
} as const satisfies Record<string, Transition>

export type DocumentAction = keyof typeof documentTransitions
/** Staff actions on a slot, by path: `/documents/:documentId/<action>`. */
export const reviewActions = ['approve', 'reject', 'waive', 'defer', 'reopen'] as const satisfies DocumentAction[]
export type ReviewAction = (typeof reviewActions)[number]

export const canTake = (action: DocumentAction, status: DocumentStatus): boolean =>
  (documentTransitions[action].from as readonly DocumentStatus[]).includes(status)

type PostponableSlot = { status: string; required: boolean; mayDefer: boolean; postponedAt: Date | null }

/** Whether the applicant may let a required document follow. `days` is the setting; 0 allows nobody. */
export const canPostpone = ({ status, required, mayDefer, postponedAt }: PostponableSlot, days: number) =>
  days > 0 && required && mayDefer && postponedAt === null && canTake('postpone', status as DocumentStatus)

/** Registration statuses in which documents may change. */
export const documentsOpenIn = ['draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled'] as const
/** Seconds in which a reviewer can undo a review; only then is the applicant notified. */
export const undoSeconds = 60

/** Registration statuses after the decision. */
const decidedStatuses: readonly string[] = ['decided', 'confirmed', 'enrolled']

/**
 * Whether the registration was decided after the review. The document can then be reopened only after the decision is
 * reverted.
 */
export const decisionFollows = ({
  registrationStatus,
  decidedAt,
  reviewedAt,
}: {
  registrationStatus: string
  decidedAt: Date | null
  reviewedAt: Date | null
}) => decidedStatuses.includes(registrationStatus) && (!decidedAt || !reviewedAt || decidedAt >= reviewedAt)

export const documentsStates = ['missing', 'to_review', 'rejected', 'complete'] as const
export type DocumentsState = (typeof documentsStates)[number]

type Slot = { status: DocumentStatus; required: boolean }

/** Whether neither applicant nor staff have to act on the slot. */
export const isSettled = ({ status, required }: Slot) =>
  status === 'approved' || status === 'waived' || status === 'deferred' || (!required && status === 'empty')

/** Combined state of slots for staff; documents to review come first. */
export function documentsStateOf(slots: readonly Slot[]): DocumentsState {
  if (slots.some(({ status }) => status === 'uploaded')) return 'to_review'
  const unsettled = slots.filter((slot) => slot.required && !isSettled(slot))
  if (unsettled.some(({ status }) => status === 'rejected')) return 'rejected'
  return unsettled.length > 0 ? 'missing' : 'complete'
}

/** Whether every required document is approved, waived or deferred; optional ones do not count. */
export const requiredDocumentsSettled = (slots: readonly Slot[]) =>
  slots.every((slot) => !slot.required || isSettled(slot))
