-- Reports of documents read this index alone. It has the columns that figures count; PostgreSQL keeps it as part of each
-- write, so that it needs no triggers and no comparison.
CREATE INDEX documents_report ON documents (registration_id) INCLUDE (name, required, status, uploaded_at, reviewed_at)
  WHERE required OR status <> 'empty';

-- Lists of one wave or programme in the order of their age: without these, PostgreSQL walked the registrations of all
-- later waves first.
CREATE INDEX registrations_of_wave ON registrations (wave_id, created_at DESC, id DESC);
CREATE INDEX registrations_of_programme ON registrations (programme_id, created_at DESC, id DESC);

-- Offers, by the filters of their list.
CREATE INDEX registrations_offers_of_wave ON registrations (wave_id, created_at DESC, id DESC) WHERE decision = 'accepted';
CREATE INDEX registrations_offers_of_track ON registrations (track_id, created_at DESC, id DESC) WHERE decision = 'accepted';
-- Also the index of the foreign key: only accepted registrations have a programme, so that all others write no entry.
CREATE INDEX registrations_offers_of_programme ON registrations (accepted_programme_id, created_at DESC, id DESC)
  WHERE accepted_programme_id IS NOT NULL;
CREATE INDEX registrations_seen ON registrations (created_at DESC, id DESC) WHERE result_seen_at IS NOT NULL;
CREATE INDEX registrations_reminded ON registrations (created_at DESC, id DESC) WHERE offer_reminded_at IS NOT NULL;

-- Locks everything that facts come from, and the facts. A payment or step that runs may need a table that is locked already:
-- all locks are given back once one table is not free within 30 ms, so before `deadlock_timeout`, and asked for again.
CREATE FUNCTION lock_report_facts(patience interval DEFAULT '2 minutes') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  former text := current_setting('lock_timeout');
  started timestamptz := clock_timestamp();
  noticed_at timestamptz := started;
BEGIN
  LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '30ms', true);
      LOCK TABLE registrations, applicants, students, bills, bill_lines, installments, fee_components, payments, allocations,
        refunds, approval_requests IN SHARE MODE;
      -- The job divide-money writes movements without writing bills.
      LOCK TABLE registration_facts, paid_places, payment_facts, money_facts, redivisions IN SHARE ROW EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF clock_timestamp() - started > patience THEN
        RAISE EXCEPTION 'Facts of reports are not made again: for % there was no moment without a writer. Nothing has changed. '
          'Try again with fewer users or while the product stands still; pg_stat_activity shows transactions that stay open.',
          patience USING ERRCODE = 'lock_not_available';
      END IF;
      IF clock_timestamp() - noticed_at > interval '10 seconds' THEN
        noticed_at := clock_timestamp();
        RAISE NOTICE 'Waiting for a moment without a writer since %', started;
      END IF;
      PERFORM pg_sleep(0.02 + random() * 0.08);
    END;
  END LOOP;
  PERFORM set_config('lock_timeout', former, true);
END $$;

CREATE OR REPLACE FUNCTION rebuild_report_facts() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_report_facts();
  -- TRUNCATE would show an empty table to backups and checks, which read an earlier snapshot.
  DELETE FROM registration_facts;
  DELETE FROM paid_places;
  DELETE FROM payment_facts;
  DELETE FROM money_facts;
  DELETE FROM redivisions;
  PERFORM fill_report_facts();
  ANALYZE registration_facts, paid_places, payment_facts, money_facts;
END $$;

-- Last, because it locks the table until the end of the migration.
DROP INDEX registrations_accepted_programme_id;
