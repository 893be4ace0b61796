export const leadStages = ['new', 'contacted', 'interested', 'registered', 'not_interested', 'unreachable'] as const
export type LeadStage = (typeof leadStages)[number]

/** Stages in which a lead is called. Declined and registered leads never are. */
export const openStages = ['new', 'contacted', 'interested'] as const satisfies LeadStage[]
export const isOpen = (stage: LeadStage) => (openStages as readonly LeadStage[]).includes(stage)

type Transition = { from: readonly LeadStage[]; to: LeadStage; by: readonly ('staff' | 'system')[]; needsReason?: true }

/** Allowed stage changes, used by server guards and buttons. */
export const leadTransitions = {
  contact: { from: ['new', 'unreachable'], to: 'contacted', by: ['staff'] },
  interest: { from: ['new', 'contacted', 'unreachable'], to: 'interested', by: ['staff'] },
  /** The lead's account submitted a registration, or staff know of one. */
  register: {
    from: ['new', 'contacted', 'interested', 'not_interested', 'unreachable'],
    to: 'registered',
    by: ['system', 'staff'],
  },
  lose: { from: ['new', 'contacted', 'interested'], to: 'unreachable', by: ['staff'] },
  /** The person does not want to be contacted. */
  decline: { from: ['new', 'contacted', 'interested', 'unreachable'], to: 'not_interested', by: ['staff'] },
  /** The person asked to be contacted again, or the stage was a mistake. */
  reopen: { from: ['not_interested', 'registered'], to: 'contacted', by: ['staff'], needsReason: true },
  /** The person agreed again at an event or in a survey. */
  agreeAgain: { from: ['not_interested', 'unreachable'], to: 'new', by: ['system'] },
} as const satisfies Record<string, Transition>

export type LeadAction = keyof typeof leadTransitions
export const staffActions = [
  'contact',
  'interest',
  'register',
  'lose',
  'decline',
  'reopen',
] as const satisfies LeadAction[]
export type StaffLeadAction = (typeof staffActions)[number]

export const transitionOf = (action: LeadAction): Transition => leadTransitions[action]

/** Actions of staff that a stage allows. */
export const actionsFrom = (stage: LeadStage): StaffLeadAction[] =>
  staffActions.filter((action) => transitionOf(action).from.includes(stage))

export const callResults = ['reached', 'no_answer', 'call_again', 'wants_link', 'declined'] as const
export type CallResult = (typeof callResults)[number]

/** Stage after a call, and days until the next call unless a day is given. */
export const callEffects: Record<CallResult, { action: StaffLeadAction | null; againInDays: number | null }> = {
  reached: { action: 'contact', againInDays: null },
  no_answer: { action: null, againInDays: 1 },
  call_again: { action: 'contact', againInDays: 1 },
  wants_link: { action: 'interest', againInDays: 3 },
  declined: { action: 'decline', againInDays: null },
}

/** Where the person agreed to be contacted. */
export const originKinds = ['event', 'survey', 'staff', 'file', 'chat'] as const

export const deletionCauses = ['asked', 'mistake', 'not_needed'] as const

/** Views of the list; `calls` holds what is due today or earlier, for all owners. */
export const leadQueues = ['my-calls', 'calls', 'unowned'] as const
export type LeadQueue = (typeof leadQueues)[number]

/** Lists for staff to review occasionally. */
export const leadChecks = ['overdue', 'duplicates', 'applicants', 'ending'] as const
export type LeadCheck = (typeof leadChecks)[number]

/** Days a sign-up link is valid. */
export const linkDays = 30
/** Last digits of the phone that the link's page asks for before it fills the form. */
export const askedDigits = 4
/** Wrong guesses after which the link ends. */
export const mostMisses = 5
/** The list shows an old lead as ending this many days before its deletion. */
export const endingDays = 30

/** URL that opens WhatsApp with a text for this number. */
export const whatsappAddress = (phone: string, text: string) =>
  `https://wa.me/${phone.replace(/\D/g, '')}?text=${encodeURIComponent(text)}`

export const firstNameOf = (name: string) => name.trim().split(/\s+/)[0] ?? ''
