/** Tabs of a registration for staff. */
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

/** Tabs with a route of their own, below the address of the registration. */
const routes = { summary: '', program: '/program', payments: '/pembayaran', documents: '/file' } as const
export type RegistrationSection = keyof typeof routes

export const isSection = (tab: RegistrationTab): tab is RegistrationSection => tab in routes

export const tabPath = (registrationId: string, tab: RegistrationTab) =>
  `/pendaftaran/${registrationId}${isSection(tab) ? routes[tab] : `?tab=${tab}`}`

/** The open tab: that of the route, or on the route of the summary that of the query. */
export const openTab = (section: RegistrationSection, asked: string | null, visible: readonly RegistrationTab[]) =>
  section === 'summary' ? (visible.find((tab) => tab === asked) ?? 'summary') : section
