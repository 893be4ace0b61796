/** A programme, a track of it, or a class of that; applications name groups without children. */
export type PlaceGroup = {
  /** Index of the parent group; null for a programme. */
  parent: number | null
  /** Places. For a part: those its siblings cannot take while it has applicants. */
  places: number
  /** Turn among its siblings for places others leave empty, smallest first; null if it never exceeds its own. */
  spillTurn: number | null
  /** Rule for ties at the last place; `strict` if the criteria leave no tie. */
  ties: TieRule
}

/** `all` admits everyone who ties at the last place, beyond the places; `none` admits none of them. */
export type TieRule = 'strict' | 'all' | 'none'
