export const registrationStatuses = [
  'draft',
  'submitted',
  'paid',
  'verified',
  'decided',
  'confirmed',
  'enrolled',
  'withdrawn',
  'cancelled',
  'expired',
] as const
export type RegistrationStatus = (typeof registrationStatuses)[number]

/** Statuses in which the documents to register are reviewed. */
export const reviewedStatuses = ['submitted', 'paid', 'verified'] as const satisfies RegistrationStatus[]
/** Statuses with a confirmed place, before and after the student number. */
export const confirmedStatuses = ['confirmed', 'enrolled'] as const satisfies RegistrationStatus[]
export type ConfirmedStatus = (typeof confirmedStatuses)[number]

/** Steps in the history; `moved` is a change of study programme or class programme. */
export const registrationSteps = [
  'started',
  'submitted',
  'paid',
  'verified',
  'tested',
  'accepted',
  'not_accepted',
  'confirmed',
  'enrolled',
  'withdrawn',
  'cancelled',
  'expired',
  'moved',
] as const
export type RegistrationStep = (typeof registrationSteps)[number]

/** Who runs an action: the applicant (own registration), staff with the permission, or the system. */
export type Taker = 'applicant' | 'staff' | 'system'

type Transition = {
  from: readonly RegistrationStatus[]
  /**
   * `before_decision` is `verified`, or `paid` if the registration was never verified; `closed_from` is the status
   * before it was closed.
   */
  to: RegistrationStatus | 'before_decision' | 'closed_from'
  by: readonly Taker[]
  /** Permission the API checks; null for system actions. */
  access: string | null
  /** Column that stores the time of the action. */
  at?: 'submittedAt' | 'paidAt' | 'verifiedAt' | 'decidedAt' | 'confirmedAt' | 'enrolledAt' | 'closedAt'
  /** Step added to the history; `undoes` lists steps removed from it. */
  step?: RegistrationStep
  undoes?: readonly RegistrationStep[]
  needsReason?: true
}

/** The whole admission process. Server guards, endpoints and web buttons read this table. */
export const registrationTransitions = {
  submit: {
    from: ['draft'],
    to: 'submitted',
    by: ['applicant', 'staff'],
    access: 'pendaftaran-edit',
    at: 'submittedAt',
    step: 'submitted',
  },
  settleFee: { from: ['submitted'], to: 'paid', by: ['system'], access: null, at: 'paidAt', step: 'paid' },
  verify: {
    from: ['paid'],
    to: 'verified',
    by: ['system', 'staff'],
    access: 'pendaftaran-verify',
    at: 'verifiedAt',
    step: 'verified',
  },
  /** A required document was reopened after verification. */
  unverify: { from: ['verified'], to: 'paid', by: ['system'], access: null, undoes: ['verified'] },
  accept: {
    from: ['verified'],
    to: 'decided',
    /** The system offers a free place to the next applicant on a reserve list. */
    by: ['staff', 'system'],
    access: 'pendaftaran-decide',
    at: 'decidedAt',
    step: 'accepted',
  },
  reject: {
    from: ['paid', 'verified'],
    to: 'decided',
    by: ['staff'],
    access: 'pendaftaran-decide',
    at: 'decidedAt',
    step: 'not_accepted',
    needsReason: true,
  },
  revertDecision: {
    from: ['decided'],
    to: 'before_decision',
    by: ['staff'],
    access: 'pendaftaran-decide',
    undoes: ['accepted', 'not_accepted'],
    needsReason: true,
  },
  confirm: {
    from: ['decided'],
    to: 'confirmed',
    by: ['applicant', 'staff'],
    access: 'konfirmasi-kelulusan-view',
    at: 'confirmedAt',
    step: 'confirmed',
  },
  /** The accepted applicant gives up the place. */
  decline: {
    from: ['decided'],
    to: 'withdrawn',
    by: ['applicant', 'staff'],
    access: 'konfirmasi-kelulusan-view',
    at: 'closedAt',
    step: 'withdrawn',
    needsReason: true,
  },
  /** The offer's deadline passed without an answer. */
  expireOffer: { from: ['decided'], to: 'expired', by: ['system'], access: null, at: 'closedAt', step: 'expired' },
  /** Staff extend an expired offer while its place is free. */
  reopenOffer: {
    from: ['expired'],
    to: 'closed_from',
    by: ['staff'],
    access: 'pendaftaran-confirm',
    undoes: ['expired'],
    needsReason: true,
  },
  revertConfirmation: {
    from: ['confirmed'],
    to: 'decided',
    by: ['staff'],
    access: 'pendaftaran-confirm',
    undoes: ['confirmed'],
    needsReason: true,
  },
  enrol: {
    from: ['confirmed'],
    to: 'enrolled',
    by: ['system', 'staff'],
    access: 'npm-mahasiswa-update',
    at: 'enrolledAt',
    step: 'enrolled',
  },
  /** The student number is withdrawn; the place stays confirmed and another number can be issued. */
  withdrawNumber: {
    from: ['enrolled'],
    to: 'confirmed',
    by: ['staff'],
    access: 'npm-mahasiswa-update',
    undoes: ['enrolled'],
    needsReason: true,
  },
  withdraw: {
    from: ['draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed'],
    to: 'withdrawn',
    by: ['applicant', 'staff'],
    access: 'pendaftaran-edit',
    at: 'closedAt',
    step: 'withdrawn',
    needsReason: true,
  },
  /** Also for enrolled students who leave: the student number stays assigned. */
  cancel: {
    from: ['draft', 'submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled'],
    to: 'cancelled',
    by: ['staff'],
    access: 'pendaftaran-decide',
    at: 'closedAt',
    step: 'cancelled',
    needsReason: true,
  },
  expire: {
    from: ['draft', 'submitted'],
    to: 'expired',
    by: ['system'],
    access: null,
    at: 'closedAt',
    step: 'expired',
  },
  revertWithdrawal: {
    from: ['withdrawn'],
    to: 'closed_from',
    by: ['staff'],
    access: 'pendaftaran-decide',
    undoes: ['withdrawn'],
    needsReason: true,
  },
} as const satisfies Record<string, Transition>

export type RegistrationAction = keyof typeof registrationTransitions

/** Whether the table allows the action in a status; the action itself checks documents, dates and money. */
export const canRun = (action: RegistrationAction, status: RegistrationStatus): boolean =>
  (registrationTransitions[action].from as readonly RegistrationStatus[]).includes(status)

/** Filters behind the tiles of the staff dashboard; `current` means every registration of a current wave. */
export const registrationQueues = ['documents', 'decision', 'confirmation', 'today', 'current'] as const
export type RegistrationQueue = (typeof registrationQueues)[number]

/** Results shown to applicants. */
export const shownResults = ['waiting', 'accepted', 'not_accepted'] as const
/** `undecided`: paid or verified, awaiting a decision. */
export const resultFilters = [...shownResults, 'undecided'] as const
export type ShownResult = (typeof shownResults)[number]
