-- Requests of applicants to move to another study programme or class; staff decide them by changing the programme.
CREATE TABLE programme_requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  registration_id uuid NOT NULL REFERENCES registrations (id) ON DELETE CASCADE,
  programme_id uuid NOT NULL REFERENCES study_programmes (id) ON DELETE RESTRICT,
  class_programme_id uuid NOT NULL REFERENCES class_programmes (id) ON DELETE RESTRICT,
  reason varchar(500) NOT NULL,
  -- Whole rupiah that the bill would rise by, as the applicant saw it.
  difference bigint NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'granted', 'refused', 'withdrawn')),
  asked_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by uuid REFERENCES accounts (id),
  answer varchar(500),
  CHECK ((status = 'pending') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX programme_requests_one_pending ON programme_requests (registration_id) WHERE status = 'pending';
CREATE INDEX programme_requests_registration_id ON programme_requests (registration_id, asked_at DESC);
CREATE INDEX programme_requests_newest ON programme_requests (asked_at DESC, id DESC);
CREATE INDEX programme_requests_programme_id ON programme_requests (programme_id);
CREATE INDEX programme_requests_class_programme_id ON programme_requests (class_programme_id);
CREATE INDEX programme_requests_decided_by ON programme_requests (decided_by);

-- Applicants of a database that is there already get the permission for their own rows; a new one gets it with its roles.
INSERT INTO role_permissions (role_id, permission)
SELECT r.id, p.slug FROM roles r, permissions p WHERE r.name = 'Mahasiswa' AND p.slug = 'pindah-prodi-view'
ON CONFLICT DO NOTHING;
INSERT INTO role_menus (role_id, menu_id)
SELECT r.id, m.id FROM roles r, menus m WHERE r.name = 'Mahasiswa' AND m.path = '/pindah-prodi'
ON CONFLICT DO NOTHING;
