export const registrationTabs = [
  'summary',
  'program',
  'profile',
  'documents',
  'payments',
  'test',
  'letters',
  'messages',
  'timeline',
  'notes',
] as const
export type RegistrationTab = (typeof registrationTabs)[number]

/** Tabs with their own route, below the registration's address. */
const routes = { summary: '', program: '/program', payments: '/pembayaran', documents: '/file' } as const
export type RegistrationSection = keyof typeof routes

export const isSection = (tab: RegistrationTab): tab is RegistrationSection => tab in routes

export const tabPath = (registrationId: string, tab: RegistrationTab) =>
  `/pendaftaran/${registrationId}${isSection(tab) ? routes[tab] : `?tab=${tab}`}`

/** The open tab: the route's, or on the summary's route the one in the query. */
export const openTab = (section: RegistrationSection, asked: string | null, visible: readonly RegistrationTab[]) =>
  section === 'summary' ? (visible.find((tab) => tab === asked) ?? 'summary') : section
