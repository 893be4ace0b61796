export const productName = 'PMB Online'

/** Times in milliseconds, distances in pixels. */
export const navigationConstants = {
  /** A script that has not arrived by then counts as failed. */
  chunkLoadTimeout: 120_000,
  resizeDebounce: 200,
  menuHoverTimeout: 200,
  accordionSlide: 250,
  themeSwitching: 300,
  dropdownZIndex: 105,
  /** Above the header (101), below dropdowns opened inside dialogs and drawers. */
  dialogZIndex: 103,
  scrollTopOffset: 200,
  scrollTopSpeed: 600,
  searchMinimumLength: 2,
  stepperStartIndex: 1,
  /** Shortest time between two session checks, so that quick clicking costs few requests. */
  sessionCheckPause: 1_000,
} as const

/** Browser storage keys for the signed-in person. */
export const storageKeys = {
  token: 'id_token',
  profile: 'profile_user',
  menus: 'menus',
  permissions: 'permissions',
} as const

/** `ink` is the text colour on `primary`, where white has a contrast of only 2.9 : 1. */
export const colours = { primary: '#009EF7', ink: '#00182B', aside: '#1E1E2D' } as const

/**
 * Ten shades of the product's own colour, chosen by eye. Shade 5 fills buttons and marks, with dark ink on it; links
 * and outlined buttons on white use shade 7 (5.0 : 1) or darker.
 */
export const primaryShades = [
  '#E8F6FF',
  '#D0ECFE',
  '#A1D9FD',
  '#6EC5FB',
  '#38B0F9',
  colours.primary,
  '#0089D8',
  '#0074B8',
  '#006198',
  '#004C78',
] as const

/** Built files are served below this path; the screens themselves live at the root. */
export const assetBase = '/app/'
