/** State of a student: without a size in the profile, waiting, with a jacket, or without one after returning it. */
export const jacketStates = ['no_size', 'waiting', 'held', 'returned'] as const
export type JacketState = (typeof jacketStates)[number]

export const movementKinds = ['delivery', 'hand_out', 'exchange', 'return', 'correction'] as const

/** Percent ordered in addition to what waiting students need. */
export const orderMargins = ['0', '5', '10', '15', '20', '30'] as const
export const defaultOrderMargin: (typeof orderMargins)[number] = '10'

/** Width and height of the drawing area of a signature, in its own units. */
export const signatureArea = { width: 600, height: 200 }

/** SVG path of moves and lines in whole units, as the signature field draws it. */
export const signaturePath = /^(?:[ML]\d{1,3} \d{1,3})+$/
