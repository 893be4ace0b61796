import { sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

export const letterInvariants: InvariantsOf<'letters'> = {
  /**
   * A number belongs to one letter only, and its counter has reached it; otherwise the counter would issue it again.
   */
  'letter-number': () => sql<Impossible>`
    SELECT 'letter' AS subject_type, max(l.id::text) AS id, l.number AS label, count(*)::text AS stored, '1' AS derived,
      '/surat/terbit' AS path
    FROM letters l GROUP BY l.number HAVING count(*) > 1
    UNION ALL
    SELECT 'counter', left('letter ' || l.number_scope, 80), 'letter · ' || l.number_scope, coalesce(c.value, 0)::text,
      max(l.sequence)::text, '/surat/terbit'
    FROM letters l LEFT JOIN number_counters c ON c.kind = 'letter' AND c.scope = l.number_scope
    GROUP BY l.number_scope, c.value HAVING max(l.sequence) > coalesce(c.value, 0)`,

  /** The register shows what was issued: frozen data and text have the hash stored at issue. */
  'letter-hash': () => sql<Impossible>`
    SELECT 'letter' AS subject_type, l.id::text AS id, l.number AS label, left(l.hash, 16) AS stored,
      left(h.hash, 16) AS derived, '/surat/terbit' AS path
    FROM letters l JOIN letter_templates t ON t.id = l.letter_template_id,
      LATERAL (SELECT letter_hash(to_jsonb(l), to_jsonb(t), l.issued_at) AS hash) h
    WHERE h.hash <> l.hash`,
}
