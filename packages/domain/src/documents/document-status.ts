export const documentStatuses = ['empty', 'uploaded', 'approved', 'rejected', 'waived', 'deferred'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

type Transition = {
  from: readonly DocumentStatus[]
  /** `before` is what the slot was without the decision: uploaded when there is a file, else empty. */
  to: DocumentStatus | 'before'
  /** Permission the API asks for. */
  access: string
  /** What the step must be told besides who and when. */
  needs?: 'file' | 'reason' | 'until'
}

/** The life of one document slot. Server guards, endpoints and buttons all read this table. */
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
  defer: { from: ['empty', 'rejected'], to: 'deferred', access: 'pendaftaran-verify', needs: 'until' },
  reopen: {
    from: ['approved', 'rejected', 'waived', 'deferred'],
    to: 'before',
    access: 'pendaftaran-verify',
    needs: 'reason',
  },
} as const satisfies Record<string, Transition>

export type DocumentAction = keyof typeof documentTransitions
/** Steps staff take on a slot, by their path: `/documents/:documentId/<action>`. */
export const reviewActions = ['approve', 'reject', 'waive', 'defer', 'reopen'] as const satisfies DocumentAction[]
export type ReviewAction = (typeof reviewActions)[number]

export const canTake = (action: DocumentAction, status: DocumentStatus): boolean =>
  (documentTransitions[action].from as readonly DocumentStatus[]).includes(status)

/** Statuses of a registration whose documents may still change. */
export const documentsOpenIn = ['draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled'] as const
/** Seconds in which a reviewer can undo a review; the applicant is told after them. */
export const undoSeconds = 60

/** Statuses of a registration that follow its decision. */
const decidedStatuses: readonly string[] = ['decided', 'confirmed', 'enrolled']

/** Whether the decision on the registration was made after the review: such a review stays until the decision is reverted. */
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

/** Nothing more is asked of the applicant or of staff for this slot. */
export const isSettled = ({ status, required }: Slot) =>
  status === 'approved' || status === 'waived' || status === 'deferred' || (!required && status === 'empty')

/** One word for all slots, said from the desk of the staff: whatever waits for them comes first. */
export function documentsStateOf(slots: readonly Slot[]): DocumentsState {
  if (slots.some(({ status }) => status === 'uploaded')) return 'to_review'
  const open = slots.filter((slot) => slot.required && !isSettled(slot))
  if (open.some(({ status }) => status === 'rejected')) return 'rejected'
  return open.length > 0 ? 'missing' : 'complete'
}

/** Every required document is approved, waived or allowed to follow; an optional one that waits holds nobody up. */
export const requiredDocumentsSettled = (slots: readonly Slot[]) =>
  slots.every((slot) => !slot.required || isSettled(slot))
