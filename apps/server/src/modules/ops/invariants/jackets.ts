import { sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

export const jacketInvariants: InvariantsOf<'jackets'> = {
  /** The stock of a size is the sum of its movements. */
  'jacket-stock': () => sql<Impossible>`
    SELECT 'jacket' AS subject_type, s.size AS id, s.size AS label, s.on_hand::text AS stored,
      coalesce(m.sum, 0)::text AS derived, '/jaket-mahasiswa/stok' AS path
    FROM jacket_stock s LEFT JOIN (SELECT size, sum(quantity) AS sum FROM jacket_movements GROUP BY 1) m USING (size)
    WHERE s.on_hand <> coalesce(m.sum, 0)`,

  /**
   * A jacket handed to a student is deducted once from its size's stock; a returned one is added again, unless worn
   * out.
   */
  'jacket-hand-out': () => sql<Impossible>`
    SELECT 'jacket' AS subject_type, h.id::text, r.code || ' · ' || h.size AS label, d.moved::text AS stored,
      d.expected::text AS derived, '/jaket-mahasiswa/' || r.id AS path
    FROM jacket_hand_outs h JOIN registrations r ON r.id = h.registration_id
    CROSS JOIN LATERAL (SELECT coalesce(sum(m.quantity) FILTER (WHERE m.size = h.size), 0) AS moved,
        CASE WHEN h.usable THEN 0 ELSE -1 END AS expected
      FROM jacket_movements m WHERE m.hand_out_id = h.id) d
    WHERE d.moved <> d.expected`,
}
