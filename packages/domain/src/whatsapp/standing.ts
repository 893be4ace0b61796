export const whatsappKinds = ['cloud', 'device', 'log'] as const
export type WhatsappKind = (typeof whatsappKinds)[number]

export const deviceStates = ['off', 'connecting', 'pairing', 'open', 'retrying'] as const
export type DeviceState = (typeof deviceStates)[number]

/** Summary state of a connection. */
export const whatsappStandings = [
  'ready',
  'inactive',
  'off',
  'unchecked',
  'connecting',
  'pairing',
  'retrying',
  'problem',
] as const
export type WhatsappStanding = (typeof whatsappStandings)[number]

type Facts = {
  kind: WhatsappKind
  active: boolean
  state: DeviceState
  problem: string | null
  checkedAt: Date | string | null
}

/** Whether a connection can send, or what is missing. */
export function standingOf({ kind, active, state, problem, checkedAt }: Facts): WhatsappStanding {
  if (!active) return 'inactive'
  if (kind === 'log') return 'ready'
  if (kind === 'cloud') return problem ? 'problem' : checkedAt ? 'ready' : 'unchecked'
  if (state === 'open') return problem ? 'problem' : 'ready'
  return state === 'off' ? (problem ? 'problem' : 'off') : state
}
