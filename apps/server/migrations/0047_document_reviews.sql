-- Every step of staff on a document, with what it replaced: for a minute its reviewer can undo it.
CREATE TABLE document_reviews (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  action text NOT NULL CHECK (action IN ('approve', 'reject', 'waive', 'defer', 'reopen')),
  reviewer_id uuid NOT NULL REFERENCES accounts (id),
  reviewed_at timestamptz NOT NULL,
  -- Version of the document after the review: while the document still has it, nothing came after the review.
  version integer NOT NULL,
  before jsonb NOT NULL,
  -- Step the registration took because of the review.
  moved text CHECK (moved IN ('verify', 'unverify')),
  -- Copy of the registration's verified_at after the step: another time there means another verification.
  verified_at timestamptz,
  undone_at timestamptz,
  -- The applicant was told; from then on the review can only be reopened.
  told_at timestamptz
);
CREATE UNIQUE INDEX document_reviews_version ON document_reviews (document_id, version);
