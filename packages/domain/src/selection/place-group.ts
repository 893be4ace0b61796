/** A programme, a track of it, or a class of that; applications name groups without children. */
export type PlaceGroup = {
  /** Index of the group that this one is a part of; null for a programme. */
  parent: number | null
  /** Places, for a part: those that its siblings cannot take while it has applicants. */
  places: number
  /** Turn among its siblings at places that others leave empty, smallest first; null if it never exceeds its own. */
  spillTurn: number | null
  /** What becomes of those who tie at the last place; `strict` where the criteria leave no tie. */
  ties: TieRule
}

/** `all` admits everybody who ties at the last place, above the places; `none` admits none of them. */
export type TieRule = 'strict' | 'all' | 'none'
