-- Questions that applicants ask on a page, with their answers, kept by staff.

CREATE TABLE help_questions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  screen text NOT NULL CHECK (screen IN ('account', 'start', 'profile', 'apply', 'documents', 'payment', 'registration', 'confirmation')),
  question varchar(200) NOT NULL,
  answer varchar(1000) NOT NULL,
  question_en varchar(200),
  answer_en varchar(1000),
  sort_order integer NOT NULL DEFAULT 0 CHECK (sort_order BETWEEN 0 AND 1000),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE INDEX help_questions_screen ON help_questions (screen, sort_order);
